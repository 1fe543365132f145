/* SPDX-License-Identifier: BSD-3-Clause */
/* ibnet_title.c - what the switches of a fabric are called, each unlike all others. */
#include <config.h>

#include "hierarchy/sources/ibnet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BRIEF = 128 };

/* A candidate for what a switch is called. */
struct candidate {
    const char *text;
    int sw;
};

static int by_text(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    return strcmp(x->text, y->text);
}

/* Call those switches by their candidates that no other switch shares. */
static void use_unique(struct candidate *candidate, int n, const char **title)
{
    qsort(candidate, (size_t)n, sizeof(*candidate), by_text);
    for (int i = 0; i < n; i++) {
        if (candidate[i].text[0] && (i == 0 || by_text(&candidate[i - 1], &candidate[i]) != 0) &&
            (i + 1 == n || by_text(&candidate[i], &candidate[i + 1]) != 0)) {
            title[candidate[i].sw] = candidate[i].text;
        }
    }
}

/* "MF0;leaf01:MQM9701/U1", as managed switches are called, is leaf01. NULL when out of memory. */
static const char *shorten(struct ibnet *net, const char *description)
{
    const char *semicolon = strchr(description, ';');
    const char *begin = semicolon ? semicolon + 1 : description;
    char brief[MAX_BRIEF];

    (void)snprintf(brief, sizeof(brief), "%.*s", (int)strcspn(begin, ":"), begin);
    return text_pool_keep(&net->text, brief);
}

enum hitop_status ibnet_title_switches(struct ibnet *net, const char **title)
{
    struct candidate *whole = calloc((size_t)net->nnodes + 1, sizeof(*whole));
    struct candidate *brief = calloc((size_t)net->nnodes + 1, sizeof(*brief));
    int n = 0, is_good = whole && brief;

    for (int i = 0; i < net->nnodes && is_good; i++) {
        const struct ibnet_node *node = &net->node[i];

        if (node->kind == IBNET_SWITCH) {
            title[n] = node->id;
            whole[n] = (struct candidate){node->description, n};
            brief[n] = (struct candidate){shorten(net, node->description), n};
            is_good = brief[n].text != NULL;
            n++;
        }
    }
    if (is_good) {
        use_unique(whole, n, title);
        use_unique(brief, n, title);
    }
    free(brief);
    free(whole);
    return is_good ? HITOP_OK : HITOP_ERR_NOMEM;
}
