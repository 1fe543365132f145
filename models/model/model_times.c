/* SPDX-License-Identifier: BSD-3-Clause */
/* model_times.c - when classes were measured, and some of what was seen then. */
#include <config.h>

#include "models/model/model_impl.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum hitop_status hitop_model_check_times(const struct hitop_class *class, struct hitop_diag *diag)
{
    for (int i = 0; i < class->ntimes; i++) {
        const struct hitop_time *t = &class->times[i];
        if (t->bytes > INT64_MAX || (i > 0 && t->bytes <= t[-1].bytes)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "sizes of times do not ascend at %zu bytes",
                              t->bytes);
        }
        if (!(t->lo >= 0 && t->lo <= t->seconds && t->seconds <= t->hi && isfinite(t->hi))) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "%zu bytes take %g s, which is not within 0 <= %g <= %g", t->bytes,
                              t->seconds, t->lo, t->hi);
        }
    }
    return HITOP_OK;
}

/* Move a date to where there is room for it. */
static void move_date(const char **date, char **room)
{
    if (*date) {
        const size_t length = strlen(*date) + 1;
        memcpy(*room, *date, length);
        *date = *room;
        *room += length;
    }
}

static size_t room_of(const char *date)
{
    return date ? strlen(date) + 1 : 0;
}

enum hitop_status hitop_model_adopt_times(struct hitop_model *model, struct hitop_diag *diag)
{
    size_t ntimes = 0, length = 0;
    struct hitop_time *time;
    char *date;

    for (int i = 0; i < model->nclasses; i++) {
        ntimes += (size_t)model->classes[i].ntimes;
        length += room_of(model->classes[i].date);
    }
    for (int i = 0; i < model->nprocessors; i++) {
        length += room_of(model->processors[i].date);
    }
    time = model->times = calloc(ntimes + 1, sizeof(*time));
    date = model->dates = malloc(length + 1);
    if (!time || !date) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    for (int i = 0; i < model->nclasses; i++) {
        struct hitop_class *c = &model->classes[i];
        if (c->ntimes > 0) {
            memcpy(time, c->times, (size_t)c->ntimes * sizeof(*time));
        }
        c->times = c->ntimes > 0 ? time : NULL;
        time += c->ntimes;
        move_date(&c->date, &date);
    }
    for (int i = 0; i < model->nprocessors; i++) {
        move_date(&model->processors[i].date, &date);
    }
    return HITOP_OK;
}
