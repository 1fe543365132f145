/* SPDX-License-Identifier: BSD-3-Clause */
/* attr_list.c - lists and sorted tables of attributes. */
#include <config.h>

#include "hierarchy/tree/attr_list.h"

#include "src/grow.h"

#include <stdlib.h>
#include <string.h>

int hitop_attr_list_add(struct attr_list *list, struct attr_owner owner, struct hitop_attr attr)
{
    if (!HITOP_GROW(list->entry, list->count, list->max)) {
        return 0;
    }
    list->entry[list->count] =
        (struct attr_entry){.owner = owner, .order = list->count, .attr = attr};
    list->count++;
    return 1;
}

void hitop_attr_list_clear(struct attr_list *list)
{
    free(list->entry);
    *list = (struct attr_list){0};
}

static int compare_owners(struct attr_owner x, struct attr_owner y)
{
    if (x.of != y.of) {
        return x.of < y.of ? -1 : 1;
    }
    return (x.owner > y.owner) - (x.owner < y.owner);
}

static int compare_entries(const void *a, const void *b)
{
    const struct attr_entry *x = a, *y = b;
    int order = compare_owners(x->owner, y->owner);

    if (order == 0) {
        order = strcmp(x->attr.key, y->attr.key);
    }
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

/* 1 if the next entry has the same owner and key, and replaces this one. */
static int is_replaced(const struct attr_list *list, int i)
{
    const struct attr_entry *x = &list->entry[i];

    return i + 1 < list->count && compare_owners(x->owner, x[1].owner) == 0 &&
           strcmp(x->attr.key, x[1].attr.key) == 0;
}

int hitop_attr_table_fill(struct attr_table *table, struct attr_list *list, struct storage *storage)
{
    const size_t n = (size_t)list->count;

    *table = (struct attr_table){0};
    if (!STORAGE_ARRAY(storage, table->owner, n) || !STORAGE_ARRAY(storage, table->attr, n)) {
        return 0;
    }
    if (n > 0) {
        qsort(list->entry, n, sizeof(*list->entry), compare_entries);
    }
    for (int i = 0; i < list->count; i++) {
        if (!is_replaced(list, i)) {
            table->owner[table->count] = list->entry[i].owner;
            table->attr[table->count++] = list->entry[i].attr;
        }
    }
    return 1;
}

/* Index of the first attribute that this owner or a later one has. */
static int find_first(const struct attr_table *table, struct attr_owner owner)
{
    int low = 0, high = table->count;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare_owners(table->owner[middle], owner) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct hitop_attr *hitop_attr_table_find(const struct attr_table *table,
                                               struct attr_owner owner, int *count)
{
    const int first = find_first(table, owner);
    int end = first;

    while (end < table->count && compare_owners(table->owner[end], owner) == 0) {
        end++;
    }
    *count = end - first;
    return *count > 0 ? table->attr + first : NULL;
}
