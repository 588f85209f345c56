#!/usr/bin/env bats
# One test a case of test/unit/*.c.
load helper

unit() { "$units/$1" "$2"; }

@test "every row of four tiles up to 131072 slides like the reference, as row and as column" { unit rules rows; }
@test "every small board slides like the reference" { unit rules small; }
@test "millions of random boards of every shape agree with the reference in both kernels" { unit rules shapes; }
@test "two 32768 merge to 65536 and two 65536 to 131072, with full rewards" { unit rules known; }
@test "random games of every shape follow the reference to the end" { unit rules games; }
@test "replay takes exactly those steps that the reference allows" { unit rules replay; }

@test "squares have eight symmetries, rectangles four, lines two" { unit symmetry counts; }
@test "every symmetry commutes with every move" { unit symmetry commute; }
@test "the normal form is the smallest image and the same for all images" { unit symmetry normal; }

@test "boards of every shape come back from their text" { unit board-text round-trip; }
@test "board text may have spaces, and points for empty cells" { unit board-text accepts; }
@test "text that is no board is refused with a reason" { unit board-text rejects; }
@test "shapes of 2 to 16 cells are read, nothing else" { unit board-text shapes; }

@test "the generators give their published outputs" { unit random vectors; }
@test "streams of neighbouring seeds and numbers differ" { unit random streams; }
@test "one draw splits into uniform choices, with and without 128-bit numbers" { unit random split; }
@test "games start on uniformly random cells, with 4s as often as asked for" { unit random starts; }
@test "random moves, cells and 4s have the chances they should" { unit random spawns; }

@test "the checksum has its known answers however the bytes are split" { unit util crc; }
@test "the checksum is the same without the machine's instruction" { PIPE2048_CPU=plain unit util crc; }
@test "numbers in files are little-endian" { unit util bytes; }
@test "whole numbers are read strictly and within their range" { unit util whole-numbers; }
@test "sizes take K, M, G and T and do not overflow" { unit util sizes; }
@test "fractions are read strictly and within their range" { unit util fractions; }
@test "numbers are printed so that they read back exactly" { unit util number-texts; }
@test "a failure is told in one line" { unit util failures; }

@test "items made by many threads are taken in order" { unit par in-order; }
@test "taking can stop early" { unit par stop-early; }
@test "a failure in a thread is carried over, the first in order" { unit par line-failures; }
@test "a range is worked on once each, whatever the threads" { unit par for-all; }
@test "a failure in a range ends the work and is carried over" { unit par for-failures; }

@test "episodes of every shape come back from a stream and replay like the reference" { unit stream round-trip; }
@test "a stream without episodes is complete" { unit stream no-episodes; }
@test "a stream cut at any byte is refused" { unit stream cuts; }
@test "a stream with any flipped bit is refused" { unit stream flips; }
@test "joined streams are read as one, and no cut or flip in them is missed" { unit stream joined; }
@test "what is against the rules is refused in spite of right checksums" { unit stream forged; }
@test "anything after the end but a stream of the same board is refused" { unit stream appended; }

@test "ways to start are read from text, and nothing else is" { unit starts texts; }
@test "games jump only to tiles that their board can come to" { unit starts fits; }
@test "restarts are in the middle of the last play of their line, until it is short" { unit starts restarts; }
@test "jumps have the tiles of the paper in turn, on random cells" { unit starts jumps; }
@test "the carousel is that of the paper, one line of episodes behind" { unit starts carousel; }
@test "starts that follow from earlier episodes do not depend on threads and batches" { unit starts threads; }
@test "a failure and an early end leave no thread waiting for a start" { unit starts ends; }

@test "players of weights stray as often as they should, to any legal move" {
    ntuple-new "$fixtures/3x3.net" --init 50 -o run.w
    gen-episodes -b 3x3 -n 300 | ntuple-learn -w run.w
    unit strays weights;
    PIPE2048_CPU=plain unit strays weights
}
@test "perfect players stray as often as they should, to any legal move" {
    age-enumerate -b 2x3 -d solved
    age-backup -d solved
    unit strays solution;
}

@test "halves of weights read as the definition of binary16 says, with and without the instruction" { unit ntuple-half reads; }
@test "halves of weights are rounded to the nearest, ties to even" { unit ntuple-half writes; }
@test "two halves give back every float of the normal range, one and eight at a time" { unit ntuple-half halves; }
@test "weights stop at the largest number of their kind" { unit ntuple-half bounds; }
@test "the second half counts in places of 2^-25" { unit ntuple-half places; }

@test "network definitions may have comments, tabs, CRLF and no last newline" { unit ntuple-network accepts; }
@test "networks have up to 64 tuples of up to 12 cells" { unit ntuple-network limits; }
@test "tuples and splits make up to 64 tables" { unit ntuple-network tables; }
@test "boards are in the stages that the papers say" { unit ntuple-network stages; }
@test "bad network definitions are refused with name, line and reason" { unit ntuple-network refuses; }
@test "network files have up to 64 KiB" { unit ntuple-network files; }

@test "no two weights share a place" { unit ntuple-layout places; }
@test "paired tuples stand side by side" { unit ntuple-layout pairs; }
@test "values of boards are those of a naive network, in both kernels" { unit ntuple-layout values; }
@test "weights that a stage has not used are those of the stage before" { unit ntuple-layout promoted; }
@test "all images of a board have the same value" { unit ntuple-layout symmetric; }
@test "tiles beyond the last value count as the last" { unit ntuple-layout last-values; }
@test "greedy play takes the naively best move, however many games are played at a time" { unit ntuple-layout greedy; }

@test "TD(lambda) learns what Algorithm 1 says" { unit ntuple-learn td-standard; }
@test "delayed TD(lambda) learns what Algorithm 3 says" { unit ntuple-learn td-delayed; }
@test "TC(lambda) learns what Algorithm 2 says" { unit ntuple-learn tc-standard; }
@test "delayed TC(lambda) learns what Algorithm 4 says" { unit ntuple-learn tc-delayed; }
@test "TD from the end of an episode uses the lambda return" { unit ntuple-learn td-backward; }
@test "TC from the end of an episode uses the lambda return" { unit ntuple-learn tc-backward; }
@test "weights that one afterstate uses several times are learned each time" { unit ntuple-learn symmetric; }
@test "Autostep learns what its Table 1 says" { unit ntuple-learn autostep; }
@test "n-step returns are learned, forwards and from the end" { unit ntuple-learn n-steps; }
@test "rates follow their schedule, and TD becomes TC at its move" { unit ntuple-learn schedules; }
@test "a rate of 1 removes a whole error" { unit ntuple-learn whole-error; }
@test "values that run away end the learning" { unit ntuple-learn divergence; }
@test "the horizon ends where lambda^k falls below 0.1" { unit ntuple-learn horizons; }

@test "a weights file with any flipped bit is found damaged" { unit ntuple-weights flips; }
@test "a weights file cut at any byte is refused" { unit ntuple-weights cuts; }
@test "weights that are infinite or not a number are refused" { unit ntuple-weights no-numbers; }
@test "copies of weights are complete, whatever is learned meanwhile" { unit ntuple-weights copies; }
@test "the last of several learners closes the weights" { unit ntuple-weights sharing; }
@test "learners that start at the same time share their accumulators" { unit ntuple-weights together; }
@test "weights of TDL2048+ come in with their values, and go out again byte for byte" { unit ntuple-weights conversion; }
@test "weights of TDL2048+ that are cut or damaged are refused" { unit ntuple-weights bad-conversions; }

@test "folded networks have the values that they had, with fewer tuples" { unit ntuple-fold folds; }
@test "promoted weights are folded as what they stand for" { unit ntuple-fold folds-promoted; }
@test "a folded definition is the same without the lines of the folded tuples" { unit ntuple-fold texts; }
@test "averaged weights give every board the mean of its values" { unit ntuple-fold means; }

@test "what is written in pieces of any size is read in pieces of any size" { unit files pieces; }
@test "an output file is whole or not there" { unit files whole-or-not; }
@test "a full disk is noticed, sticks, and leaves no file" { unit files full-disk; }
@test "failures of files name the file" { unit files failures; }
@test "lines of any length are read" { unit files lines; }

@test "the solver's normal form is the game's, for boards of every shape in both kernels" { unit solve_rules normal; }
@test "the solver puts a tile on every empty cell, and counts them" { unit solve_rules spawn; }
@test "the solver slides like the game, with its rewards, and counts terminal states" { unit solve_rules slide; }
@test "boards come back from their IDs, and IDs keep their order" { unit solve_rules ids; }
@test "what is thrown on piles is found once each, in order" { unit solve_rules piles; }

@test "sets of every size and kind come back, with every place, in every codec" { unit solve_packed sets; }
@test "numbers that do not increase are refused" { unit solve_packed wrong-order; }
@test "a set that is cut anywhere or has any flipped bit is refused" { unit solve_packed damage; }
@test "values come back, and any flipped bit is refused" { unit solve_packed values; }
@test "prefix codes are full, short enough, and shorter for what is frequent" { unit solve_packed huffman; }

@test "small boards have the brute-force solver's states and values" { cd "$T" && unit solve_brute small; }
@test "2x4 in bounded memory has the brute-force solver's states and values" { cd "$T" && unit solve_brute two-by-four; }
@test "other chances of a 4 have the brute-force solver's values" { cd "$T" && unit solve_brute probabilities; }
@test "other objectives have the brute-force solver's values" { cd "$T" && unit solve_brute objectives; }

@test "text is UTF-8, and what is not is replaced" { unit picture characters; }
@test "the width of text follows from its letters" { unit picture widths; }
@test "text is broken or cut to fit" { unit picture fitting; }
@test "numbers are written as people read them" { unit picture numbers; }
@test "ticks stand at steps of 1, 2 and 5, and no two say the same" { unit picture ticks-linear; }
@test "ticks of log axes stand at powers of ten" { unit picture ticks-log; }
@test "texts of ticks do not touch" { unit picture ticks-beside; }
@test "axes begin at 0 where that is near" { unit picture ranges; }
@test "every value is in its bin" { unit picture bins; }
@test "tiles and lines have enough contrast on light and dark" { unit picture contrasts; }
@test "thousands of odd charts are well-formed, or refused with a reason" { unit picture pictures; }

@test "the XML checker takes what is well-formed and nothing else" { unit xml checker; }
@test "the XML checker reads standard input" { echo '<a/>' | unit xml standard-input; }
@test "searches of boards of every shape agree with a slow search to four plies" { cd "$T" && unit search reference; }
@test "the portable search agrees with a slow search to four plies" { cd "$T" && PIPE2048_CPU=plain unit search reference; }
@test "limits by empty cells and cutoffs do what a slow search with them does" { cd "$T" && unit search limits; }
@test "neither a table nor threads change a bit of what a search answers" { cd "$T" && unit search same; }
@test "a table gives back what was put in it, and nothing else" { unit search table; }
@test "a table keeps what took most work, and drops what is old; one larger than the memory is refused" { unit search replacement; }
@test "downgraded boards are what they should be and play the same" { unit search downgrade; }
@test "lists of limits are read strictly" { unit search limit-texts; }
@test "boards that no game comes to are told from others" { unit search possible; }

@test "every case of every unit program is run above" {
    for source in "$root"/test/unit/*.c; do
        name=$(basename "$source" .c)
        for case in $("$units/$name"); do
            grep -q "unit $name $case;" "$BATS_TEST_FILENAME" || fail "$name $case is not run"
        done
    done
}
