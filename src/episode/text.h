// SPDX-License-Identifier: MIT
// Episodes as text, and the way back. The form is described in episode-text(1).
#ifndef EPISODE_TEXT_H
#define EPISODE_TEXT_H

#include "episode/stream.h"

// Writers of the three kinds of paragraphs. 0, or -1 on failure.
int episode_text_header(struct out *out, const struct episode_header *h);
int episode_text_episode(struct out *out, const struct shape *shape, const struct episode *e,
                         uint64_t number);
int episode_text_end(struct out *out, uint64_t episodes, uint64_t moves);

// Reads the text of one or more streams and writes them as binary ones; states,
// rewards, scores and counts are checked. 0, or -1 with the line's number.
int episode_text_convert(struct in *in, struct out *out);

#endif
