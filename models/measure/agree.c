/* SPDX-License-Identifier: BSD-3-Clause */
/* agree.c - communication between the processes of a measurement. */
#include <config.h>

#include "models/measure/measure_impl.h"

#include <stdlib.h>
#include <string.h>

enum hitop_status hitop_link_end(const struct hitop_transport *t, const struct hitop_link *link,
                                 int is_triple, enum hitop_status led, struct hitop_diag *diag)
{
    struct hitop_diag *why = led == HITOP_OK ? diag : NULL;
    enum hitop_status released;

    if (t->rank == link->rank[1] || (is_triple && t->rank == link->third)) {
        return t->answer(t->self, link->rank[0], t->rank, diag);
    }
    if (!plays_first(t, link)) {
        return HITOP_OK;
    }
    released = t->release(t->self, link->rank[0], link->rank[1], why);
    if (is_triple && released == HITOP_OK) {
        released = t->release(t->self, link->rank[0], link->third, why);
    }
    return led == HITOP_OK ? released : led;
}

enum hitop_status hitop_agree_on_values(const struct hitop_transport *t, enum hitop_status own,
                                        double *value, int n, struct hitop_diag *diag)
{
    enum hitop_status status;

    value[0] = -(double)own; /* errors are negative: the worst one is that of all */
    status = t->agree(t->self, value, n, own == HITOP_OK ? diag : NULL);
    if (status != HITOP_OK) {
        return own == HITOP_OK ? status : own;
    }
    status = (enum hitop_status)(-value[0]);
    return own != HITOP_OK || status == HITOP_OK
               ? status
               : hitop_fail(diag, status, "measurement: another rank reports: %s",
                            hitop_status_str(status));
}

enum hitop_status hitop_agree_on_end(const struct hitop_transport *t, enum hitop_status own,
                                     int *end, struct hitop_diag *diag)
{
    double value[] = {0, *end};
    const enum hitop_status status = hitop_agree_on_values(t, own, value, 2, diag);

    if (status == HITOP_OK) {
        *end = value[1] > 0;
    }
    return status;
}

enum hitop_status hitop_agree_on_status(const struct hitop_transport *t, enum hitop_status own,
                                        struct hitop_diag *diag)
{
    double value[1];

    return hitop_agree_on_values(t, own, value, 1, diag);
}

enum hitop_status hitop_share_array(const struct hitop_transport *t, void *at, int *n, size_t size,
                                    struct hitop_diag *diag)
{
    enum hitop_status status = t->share(t->self, n, sizeof(*n), diag);
    void *array;

    memcpy(&array, at, sizeof(array));
    if (status == HITOP_OK && t->rank > 0) {
        free(array);
        array = calloc((size_t)*n + 1, size);
        memcpy(at, &array, sizeof(array));
        status = array ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    status = hitop_agree_on_status(t, status, diag);
    return status == HITOP_OK && *n > 0 ? t->share(t->self, array, (size_t)*n * size, diag)
                                        : status;
}
