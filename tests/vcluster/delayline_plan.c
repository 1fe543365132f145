/* SPDX-License-Identifier: BSD-3-Clause */
/* delayline_plan.c - reads hosts, latencies and limits from a cluster's plan (see vc-config.awk).
 */
#include <config.h>

#include "tests/vcluster/delayline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int find_site(const struct dl_net *net, const char *name)
{
    int site = 0;

    while (site < net->sites && strcmp(net->site_name[site], name) != 0) {
        site++;
    }
    return site; /* net->sites when unknown */
}

static bool add_host(struct dl_net *net, const char *site_name)
{
    const int site = find_site(net, site_name);

    if (net->ports == DL_MAX_PORTS) {
        return false;
    }
    if (site == net->sites) {
        snprintf(net->site_name[net->sites++], DL_NAME, "%s", site_name);
    }
    net->site[net->ports++] = site;
    return true;
}

/* A limit within a site is that of each host's card; between sites it is the shared line's. */
static bool add_link(struct dl_net *net, int a, int b, int64_t latency, double bytes_per_second)
{
    const double ns_per_byte = bytes_per_second > 0 ? 1e9 / bytes_per_second : 0;

    if (a == net->sites || b == net->sites) {
        return false;
    }
    net->latency[a][b] = net->latency[b][a] = latency;
    if (a != b) {
        net->line[a][b].ns_per_byte = net->line[b][a].ns_per_byte = ns_per_byte;
        return true;
    }
    for (int port = 0; port < net->ports; port++) {
        if (net->site[port] == a) {
            net->card_out[port].ns_per_byte = net->card_in[port].ns_per_byte = ns_per_byte;
        }
    }
    return true;
}

static bool read_line(struct dl_net *net, const char *line, bool links)
{
    char a[DL_NAME];
    char b[DL_NAME];
    int64_t latency;
    double rate;

    if (strncmp(line, "host ", 5) == 0) {
        return links || (sscanf(line, "host %*63s %63s", a) == 1 && add_host(net, a));
    }
    if (strncmp(line, "link ", 5) == 0 && links) {
        return sscanf(line, "link %63s %63s %" SCNd64 " %lf", a, b, &latency, &rate) == 4 &&
               add_link(net, find_site(net, a), find_site(net, b), latency, rate);
    }
    return true;
}

bool dl_plan_read(struct dl_net *net, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    bool good = true;

    if (file == NULL) {
        perror(path);
        return false;
    }
    for (int pass = 0; pass < 2 && good; pass++) { /* a link may stand before its hosts */
        rewind(file);
        while (good && fgets(line, sizeof line, file) != NULL) {
            good = read_line(net, line, pass == 1);
        }
    }
    if (!good) {
        fprintf(stderr, "%s: not a plan: %s", path, line);
    }
    fclose(file);
    return good;
}
