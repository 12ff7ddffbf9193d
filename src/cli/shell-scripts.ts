/**
 * What each shell needs to complete lines: a function that hands the line so far to the program and takes its candidates. What a repository
 * says never gets into a line: candidates are words of declarations and ids of plans.
 */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how shells write expansions

const bash = `# bash completion of codegenie
_codegenie() {
  local line=\${COMP_LINE:0:COMP_POINT} program=\${COMP_WORDS[0]/#\\~\\//$HOME/} word candidate
  local IFS=$'\\n'
  COMPREPLY=()
  # readline replaces what follows the last of its own separators, = and : among them.
  word=\${line##*[[:space:]]}
  local before=\${word%"\${word##*[=:]}"}
  [[ $COMP_WORDBREAKS == *:* || $before != *: ]] || before=\${before%:}
  while read -r candidate; do
    candidate=\${candidate%%$'\\t'*}
    COMPREPLY+=("\${candidate#"$before"}")
  done < <("$program" completion bash --line "$line" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -ne 1 || \${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
  return 0
}
complete -o bashdefault -o default -F _codegenie codegenie
`;

const zsh = `#compdef codegenie
_codegenie() {
  local -a words_said
  local line candidate
  while IFS= read -r line; do
    candidate=\${line%%$'\\t'*}
    words_said+=("\${candidate//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]/#\\~\\//$HOME/}" completion zsh --line "\${(j: :)words[1,CURRENT]}" 2>/dev/null)
  if (( \${#words_said} )); then
    _describe -V codegenie words_said
  else
    _files
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _codegenie "$@"; else compdef _codegenie codegenie; fi
`;

const fish = `# fish completion of codegenie
function __codegenie_candidates
  set -l line (commandline --cut-at-cursor --current-process)
  set -l words (commandline --tokenize --current-process)
  set -l candidates ($words[1] completion fish --line "$line" 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline --current-token)
  end
end
complete --command codegenie --no-files --keep-order --arguments '(__codegenie_candidates)'
`;

export const shells = {
  bash: { script: bash, install: "echo 'source <(codegenie completion bash)' >> ~/.bashrc" },
  zsh: { script: zsh, install: "echo 'source <(codegenie completion zsh)' >> ~/.zshrc (after compinit)" },
  fish: { script: fish, install: 'codegenie completion fish > ~/.config/fish/completions/codegenie.fish' },
} as const;

export type Shell = keyof typeof shells;
