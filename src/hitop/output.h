/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_OUTPUT_H
#define HITOP_OUTPUT_H

/**
 * @file output.h
 * @brief Output files that appear whole or not at all.
 *
 * The contents go to a temporary file beside the target, which replaces the target only when all of
 * them are safely written, and has its mode. "-" is standard output. A reader never sees half a file, and a failed
 * run leaves an older file as it was. What a symbolic link leads to is replaced, not the link; devices, pipes
 * and names of open files, such as /dev/stdout, are written to as they are.
 *
 * @code
 * struct hitop_output *output = NULL;
 * status = hitop_output_open("model.json", &output, &diag);
 * fprintf(hitop_output_stream(output), "...");
 * status = hitop_output_commit(output, &diag); // or hitop_output_discard(output)
 * @endcode
 */

#include "hitop/status.h"

#include <stdio.h>

HITOP_BEGIN_DECLS

/** Opaque. Ended by hitop_output_commit() or hitop_output_discard(), whichever comes first. */
struct hitop_output;

/**
 * Whether @p path could be written now: to be asked before hours are spent on what shall stand there. Nothing is left; devices
 * and pipes are not opened.
 *
 * @retval HITOP_ERR_IO  it is a folder, or the temporary file cannot be created
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_output_check(const char *path,
                                                                struct hitop_diag *diag);

/**
 * Begin to write @p path.
 *
 * @param out  receives the output; set to NULL on failure
 * @retval HITOP_ERR_IO  it is a folder, or the temporary file cannot be created
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_output_open(const char *path, struct hitop_output **out, struct hitop_diag *diag);

/** The stream to write to; lent until commit or discard. */
HITOP_API FILE *hitop_output_stream(struct hitop_output *output);

/**
 * Flush, put the file in its place and release @p output, also on failure.
 *
 * @retval HITOP_ERR_IO  any write or the final rename failed; the target is as it was
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_output_commit(struct hitop_output *output,
                                                                 struct hitop_diag *diag);

/**
 * End what a writer has written: hitop_output_commit() where @p status is HITOP_OK, else hitop_output_discard(); where a
 * write has failed, the message names the file. NULL is allowed. Where
 * standard output is a pipe whose reader has closed it, as head(1) does, and the process goes on after SIGPIPE, that is no
 * failure: the reader has read enough.
 *
 * @return @p status, that of the commit, or HITOP_OK for such a pipe
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_output_end(struct hitop_output *output, enum hitop_status status, struct hitop_diag *diag);

/** Remove the temporary file and release @p output. NULL is allowed. */
HITOP_API void hitop_output_discard(struct hitop_output *output);

HITOP_END_DECLS

#endif /* HITOP_OUTPUT_H */
