// SPDX-License-Identifier: MIT
#include "util/completion.h"

#include <string.h>

// Options without a help text are not offered.
static int offered(const struct option_spec *o) { return o->help != NULL; }

// A function's name for the command: letters, digits and _.
static void print_name(FILE *to, const char *name) {
    fputs("_pipe2048_", to);
    for (; *name; name++) fputc(*name == '-' ? '_' : *name, to);
}

// "-o|--output" of an option.
static void print_names(FILE *to, const struct option_spec *o, const char *between) {
    if (o->letter) fprintf(to, "-%c%s", o->letter, between);
    fprintf(to, "--%s", o->name);
}

static void print_words(FILE *to, const struct option_spec *o) {
    for (int i = 0; o->words[i]; i++) fprintf(to, "%s%s", i ? " " : "", o->words[i]);
}

// The branch for the word after an option that takes an argument.
static void bash_argument(FILE *to, const struct option_spec *o) {
    if (!o->arg || !offered(o)) return;
    fputs("    ", to);
    print_names(to, o, " | ");
    fputs(") ", to);
    if (o->kind == OPTION_FILE) fputs("files=1", to);
    if (o->kind == OPTION_WORD) {
        fputs("words='", to);
        print_words(to, o);
        fputc('\'', to);
    }
    fputs(o->kind == OPTION_FILE || o->kind == OPTION_WORD ? " ;;\n" : ";;\n", to);
}

static void print_bash(FILE *to, const struct command *c, const struct option_spec *const sets[2]) {
    fprintf(to, "# bash completion for %s, made by: %s --completion bash\n", c->name, c->name);
    print_name(to, c->name);
    // The shell may give --option=word as three words.
    fputs("() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words='' "
          "files=''\n"
          "    COMPREPLY=()\n"
          "    if [[ $word == '=' ]]; then word=''\n"
          "    elif [[ $before == '=' ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
          "    case $before in\n",
          to);
    for (int i = 0; i < 2; i++)
        for (const struct option_spec *o = sets[i]; o->kind != OPTION_END; o++)
            bash_argument(to, o);
    fputs("    *)\n        if [[ $word == -* ]]; then\n            words='", to);
    for (int i = 0; i < 2; i++)
        for (const struct option_spec *o = sets[i]; o->kind != OPTION_END; o++)
            if (offered(o)) {
                print_names(to, o, " ");
                fputc(' ', to);
            }
    fprintf(to, "'\n%s        fi\n        ;;\n    esac\n",
            c->operands ? "        else\n            files=1\n" : "");
    fputs("    if [[ $files ]]; then\n"
          "        compopt -o filenames 2>/dev/null\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
          "    else\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "    fi\n"
          "}\n"
          "complete -F ",
          to);
    print_name(to, c->name);
    fprintf(to, " %s\n", c->name);
}

// Text inside single quotes and a specification of _arguments.
static void zsh_escaped(FILE *to, const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", to);
        else if (strchr("[]:\\", *text))
            fputc('\\', to);
        fputc(*text, to);
    }
}

static void zsh_option(FILE *to, const struct option_spec *o) {
    if (!offered(o)) return;
    fputs(" \\\n    ", to);
    // What a function takes in may come more than once.
    if (o->kind == OPTION_CALL) fputs("'*'", to);
    if (o->letter && o->kind != OPTION_CALL) fprintf(to, "'(-%c --%s)'", o->letter, o->name);
    if (o->letter)
        fprintf(to, "{-%c,--%s%s}", o->letter, o->name, o->arg ? "=" : "");
    else
        fprintf(to, "--%s%s", o->name, o->arg ? "=" : "");
    fputs("'[", to);
    zsh_escaped(to, o->help);
    fputc(']', to);
    if (o->arg) {
        fputc(':', to);
        zsh_escaped(to, o->arg);
        fputc(':', to);
    }
    if (o->kind == OPTION_FILE) fputs("_files", to);
    if (o->kind == OPTION_WORD) {
        fputc('(', to);
        print_words(to, o);
        fputc(')', to);
    }
    fputc('\'', to);
}

static void print_zsh(FILE *to, const struct command *c, const struct option_spec *const sets[2]) {
    fprintf(to, "#compdef %s\n# zsh completion, made by: %s --completion zsh\n_arguments -s -S",
            c->name, c->name);
    for (int i = 0; i < 2; i++)
        for (const struct option_spec *o = sets[i]; o->kind != OPTION_END; o++) zsh_option(to, o);
    if (c->operands) fputs(" \\\n    '*:file:_files'", to);
    fputc('\n', to);
}

void completion_print(FILE *to, enum completion_shell shell, const struct command *command,
                      const struct option_spec *common) {
    const struct option_spec *const sets[2] = {command->options, common};
    (shell == COMPLETION_ZSH ? print_zsh : print_bash)(to, command, sets);
}
