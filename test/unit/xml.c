// SPDX-License-Identifier: MIT
#include "xml.h"

#include "check.h"

// The checker itself, since pictures are trusted to it.
static void checker(void) {
    static const char *const good[] = {"<a/>", "<a></a>",
                                       "<a b=\"c\" d=\"&lt;&amp;\">x &gt; y<e/>\n</a>\n",
                                       "<a>\xc3\xa4\xe2\x82\xac</a>", "<a b=\"'>\"/>"};
    static const char *const bad[] = {"",
                                      "x",
                                      "<a>",
                                      "</a>",
                                      "<a></b>",
                                      "<a><b></a></b>",
                                      "<a/><a/>",
                                      "<a/>x",
                                      "<a b=c/>",
                                      "<a b=\"c/>",
                                      "<a b=\"c\" b=\"d\"/>",
                                      "<a b=\"<\"/>",
                                      "<a>&</a>",
                                      "<a>&nbsp;</a>",
                                      "<a>\xff</a>",
                                      "<a>\xc0\x80</a>",
                                      "<a>\xed\xa0\x80</a>",
                                      "<a>\xef\xbf\xbf</a>",
                                      "<a>\1</a>",
                                      "<a b=\"c\"d=\"e\"/>",
                                      "<a",
                                      "<>",
                                      "<1/>",
                                      "<a>\xc3</a>"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(!xml_wrong(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(xml_wrong(bad[i]), "%s", bad[i]);
}

static void standard_input(void) {
    char *text = xml_read(stdin);
    const char *wrong = xml_wrong(text);
    CHECK(!wrong, "at byte %td: %.60s", wrong - text, wrong);
    free(text);
}

int main(int argc, char **argv) {
    static const struct check_case cases[] = {
        {"checker", checker}, {"standard-input", standard_input}, {0}};
    return check_main(cases, argc, argv);
}
