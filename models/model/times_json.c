/* SPDX-License-Identifier: BSD-3-Clause */
/* times_json.c - some of the times that were measured of a class, in a model file. */
#include <config.h>

#include "models/model/times_json.h"

#include "src/draft_json.h"

#include <float.h>

static const char *const columns[] = {"bytes", "time", "lo", "hi", NULL};

size_t hitop_times_count(const json_t *class)
{
    return json_array_size(json_object_get(json_object_get(class, "times"), "bytes"));
}

/* An item of a column. */
static double number(struct reader *r, const char *path, const json_t *times, const char *column,
                     size_t row)
{
    char where[READER_PATH_MAX], item[READER_PATH_MAX];

    return hitop_reader_number_value(
        r, hitop_reader_item(hitop_reader_join(path, column, where), row, item),
        json_array_get(json_object_get(times, column), row), 0, DBL_MAX);
}

void hitop_times_read(struct reader *r, const char *path, const json_t *class,
                      struct hitop_time *room, struct hitop_class *out)
{
    json_t *times = hitop_reader_optional(r, path, class, "times", JSON_OBJECT);
    const size_t n = hitop_times_count(class);
    char where[READER_PATH_MAX], item[READER_PATH_MAX], column[READER_PATH_MAX];

    if (!times) {
        return;
    }
    hitop_reader_known(r, hitop_reader_join(path, "times", where), times, columns);
    for (size_t c = 0; columns[c]; c++) {
        (void)hitop_reader_array(r, where, times, columns[c], (int)n);
    }
    for (size_t i = 0; r->status == HITOP_OK && i < n; i++) {
        const json_t *bytes = json_array_get(json_object_get(times, "bytes"), i);
        if (!json_is_integer(bytes) || json_integer_value(bytes) < 0) {
            hitop_reader_fail(r,
                              hitop_reader_item(hitop_reader_join(where, "bytes", column), i, item),
                              "must be an integer that is not negative");
        }
        room[i] = (struct hitop_time){.bytes = (size_t)json_integer_value(bytes),
                                      .seconds = number(r, where, times, "time", i),
                                      .lo = number(r, where, times, "lo", i),
                                      .hi = number(r, where, times, "hi", i)};
    }
    out->times = room;
    out->ntimes = (int)n;
}

json_t *hitop_times_value(const struct hitop_class *c)
{
    struct draft draft = {.value = json_object()};
    json_t *column[4];

    for (size_t k = 0; k < 4; k++) {
        column[k] = json_array();
    }
    for (int i = 0; i < c->ntimes; i++) {
        const struct hitop_time *t = &c->times[i];
        json_t *item[] = {json_integer((json_int_t)t->bytes), json_real(t->seconds),
                          json_real(t->lo), json_real(t->hi)};
        for (size_t k = 0; k < 4; k++) {
            draft.incomplete |= json_array_append_new(column[k], item[k]) != 0;
        }
    }
    for (size_t k = 0; k < 4; k++) {
        draft_add(&draft, columns[k], column[k]);
    }
    return draft_finish(&draft);
}
