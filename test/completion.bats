#!/usr/bin/env bats
# Completion scripts, which every command prints from its option table.
load helper

commands() { ls "${BIN:-$root/bin}"; }

# The options that --help lists, long and short.
options() { "$1" --help | sed -n '/^Options:/,/^$/s/^  \(.\{4\}\)\(--[a-z0-9-]*\).*/\1 \2/p' | tr -d , | tr -s ' ' '\n' | sed '/^$/d'; }

# complete_bash COMMAND WORD...: what bash offers for the last word.
complete_bash() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    "_pipe2048_${1//-/_}"
    [ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}"
}

bash_script() {
    "$1" --completion bash >script
    # shellcheck source=/dev/null
    . ./script
}

@test "bash offers every option of every command, and --completion itself is not among them" {
    for command in $(commands); do
        bash_script "$command"
        equal "$command" "$(complete_bash "$command" - | sort | paste -sd ' ')" "$(options "$command" | sort | paste -sd ' ')"
        not grep -q -e '--completion ' <(complete_bash "$command" --)
        complete -p "$command" | grep -q -e "-F _pipe2048_${command//-/_} $command\$" || fail "$command: not registered"
    done
}

@test "bash offers the options that begin so" {
    bash_script plot
    equal options "$(complete_bash plot --x | paste -sd ' ')" '--x --x-label --x-range'
    equal option "$(complete_bash plot -k line --hl)" --hline
    equal none "$(complete_bash plot --nothing)" ''
}

@test "bash offers the words that an option takes" {
    bash_script plot
    equal words "$(complete_bash plot -k '' | paste -sd ' ')" 'line points bars histogram'
    equal word "$(complete_bash plot --kind his)" histogram
    # As the shell splits --kind=his, and --kind= before anything is typed.
    equal word "$(complete_bash plot --kind = his)" histogram
    equal words "$(complete_bash plot --log = | paste -sd ' ')" 'none x y xy'
    equal 'a number' "$(complete_bash plot --bins '')" ''
    bash_script ntuple-learn
    equal words "$(complete_bash ntuple-learn --rule t | paste -sd ' ')" 'td tc td-then-tc'
}

@test "bash offers files for options that take one, and as operands" {
    mkdir 'a folder'
    touch 'one file' other.tsv
    bash_script plot
    equal operands "$(complete_bash plot '' | sort | paste -sd '|')" 'a folder|one file|other.tsv|script'
    equal operand "$(complete_bash plot -k bars o | sort | paste -sd '|')" 'one file|other.tsv'
    equal output "$(complete_bash plot -o on)" 'one file'
    equal output "$(complete_bash plot --output = oth)" other.tsv
    # Without operands there is nothing to offer but options.
    bash_script gen-episodes
    equal none "$(complete_bash gen-episodes '')" ''
    equal file "$(complete_bash gen-episodes -w oth)" other.tsv
}

@test "the scripts are sound" {
    for command in $(commands); do
        works "$command" --completion bash
        bash -n "$T/out"
        works "$command" --completion=zsh
        equal first "$(head -n 1 "$T/out")" "#compdef $command"
    done
}

@test "other shells are refused" {
    refused 2 "completion: 'fish': must be one of bash, zsh" gen-episodes --completion fish
    refused 2 'completion: needs an argument' gen-episodes --completion
    [ -c /dev/full ] || return 0
    full() { "$@" >/dev/full; }
    refused 1 'standard output: No space left' full gen-episodes --completion bash
}

@test "zsh knows every option of every command" {
    command -v zsh >/dev/null || skip "zsh is missing"
    for command in $(commands); do
        "$command" --completion zsh >script
        zsh -n script || fail "$command"
        zsh -fc '_arguments() { print -rl -- "$@" }; . ./script' >specs
        for option in $(options "$command"); do
            grep -q -E "^(\*|\([^)]*\))?$option(=|\[)" specs || fail "$command: no $option"
        done
    done
}

@test "zsh completes options, words and files in a real terminal" {
    command -v zsh >/dev/null || skip "zsh is missing"
    zsh -fc 'zmodload zsh/zpty' || skip "zsh has no zpty"
    mkdir functions 'a folder'
    plot --completion zsh >functions/_plot
    touch 'one file'
    cat >session.zsh <<'END'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; PS2=; stty -echo; fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D; plot() { print -r -- \"GOT<\${(j:|:)@}>\" }; print REA''DY"
zpty -r z out $'*READY\r\n*'
zpty -w -n z $'plot --ki\this\t --perc\t -o on\t\n'
zpty -r z out $'*GOT<*>*'
print -r -- "$out"
zpty -d z
END
    try timeout 60 zsh -f session.zsh
    grep -q -F 'GOT<--kind=histogram|--percent|-o|one file>' "$T/out" || fail "not completed"
}
