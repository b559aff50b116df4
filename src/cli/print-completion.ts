/** The shells whose completion is known. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Returns what a shell runs once to complete the words of `steward`: it asks the program itself, which knows its commands. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# mkdir -p ~/.local/share/bash-completion/completions && steward completion bash > ~/.local/share/bash-completion/completions/steward
_steward() {
  local value about quoted
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    printf -v quoted %q "$value"
    COMPREPLY+=("$quoted")
  done < <(steward complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _steward steward
`,
  zsh: `#compdef steward
# steward completion zsh > "\${fpath[1]}/_steward"
_steward() {
  local -a found
  local value about
  while IFS=$'\\t' read -r value about; do
    found+=("\${value//:/\\\\:}:$about")
  done < <(steward complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe -V steward found; else _files; fi
}
if [ "\${funcstack[1]}" = "_steward" ]; then _steward "$@"; else compdef _steward steward; fi
`,
  fish: `# mkdir -p ~/.config/fish/completions && steward completion fish > ~/.config/fish/completions/steward.fish
function __steward_words
    set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
    steward complete -- $words[2..] 2>/dev/null
end
complete -c steward -a '(__steward_words)'
`,
};
