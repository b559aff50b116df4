import{r as StewardError,t as EXIT}from"./errors-CGd9iSQe.js";import{i as stem}from"./note-names-C2X2Iil1.js";import{t as usageError}from"./usage-error-hAyNL2pQ.js";import{n as vaultDir}from"./vault-dir-yEhTvoGP.js";import{t as clean}from"./plain-text-B7AX8Fx6.js";import{n as newestEvents}from"./log-DvxFxVBF.js";import{n as statusNow}from"./status-CyfqSL0M.js";const SHELLS=[`bash`,`zsh`,`fish`];function completionScript(shell){return SCRIPTS[shell]}const SCRIPTS={bash:`# steward completion bash > ~/.local/share/bash-completion/completions/steward
_steward() {
  local value about quoted
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    printf -v quoted %q "$value"
    COMPREPLY+=("$quoted")
  done < <(steward complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _steward steward
`,zsh:`#compdef steward
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
`,fish:`# steward completion fish > ~/.config/fish/completions/steward.fish
function __steward_words
    set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
    steward complete -- $words[2..] 2>/dev/null
end
complete -c steward -a '(__steward_words)'
`};const EVENT_COMMANDS=[`undo`,`confirm`,`dismiss`];const FIXED={completion:SHELLS,service:[`install`,`uninstall`,`status`]};function completionOf(program,words){const last=words.at(-1)??``;const command=commandAt(program,words.slice(0,-1));const before=words.at(-2)??``;if(command.options.some(({names,takesValue})=>takesValue&&names.includes(before)))return NOTHING;if(last.startsWith(`-`))return{words:fitting(optionsOf(command),last),events:null};const below=command.commands.map(({name,summary})=>({value:name,about:summary}));const fixed=(FIXED[command.name]??[]).map(value=>({value,about:``}));const events=EVENT_COMMANDS.find(name=>name===command.name)??null;return{words:fitting([...below,...fixed],last),events}}function fitting(candidates,typed){const start=typed.toLowerCase();return candidates.filter(({value})=>value.toLowerCase().startsWith(start))}const NOTHING={words:[],events:null};function optionsOf(command){return command.options.flatMap(({names,summary})=>names.map(value=>({value,about:summary})))}function commandAt(program,words){let command=program;words.forEach((word,at)=>{const before=words[at-1]??``;const isValue=command.options.some(({names,takesValue})=>takesValue&&names.includes(before));const next=command.commands.find(({name})=>name===word);if(next!==void 0&&!isValue)command=next});return command}const NEWEST=50;async function completion(shell,{out}){const known=SHELLS.find(one=>one===shell);if(known===void 0)throw usageError(`There is no completion for ${shell}.`,`There is one for ${SHELLS.join(`, `)}.`);for(const line of completionScript(known).trimEnd().split(`
`))out.line(line);return EXIT.done}async function complete(program,words,context){const found=completionOf(program,words);const events=found.events===null?[]:await eventsFor(found.events,words,context);for(const{value,about}of[...found.words,...fitting(events,words.at(-1)??``)])context.out.line(`${clean(value)}\t${clean(about)}`);return EXIT.done}async function eventsFor(command,words,context){const named=words[words.lastIndexOf(`--vault`)+1];const options=words.includes(`--vault`)&&named!==void 0?{vault:named}:{};try{const root=vaultDir(options,context);const about=command===`undo`?await undoable(context,root):await waiting(context,root,command);return about.flatMap(one=>candidatesFor(one,about))}catch(error){if(!(error instanceof StewardError))throw error;return[]}}async function undoable(context,root){return(await newestEvents(context,root,NEWEST,null)).filter(({outcome})=>outcome===`applied`||outcome===`acted`||outcome===`confirmed`).map(({event,target,decision})=>({event:stem(event),title:titleOf(target),about:decision}))}async function waiting(context,root,command){const{waiting:all}=await statusNow(root,context);return all.filter(({answers})=>answers.includes(command)||command===`confirm`&&answers.includes(`choose`)).flatMap(({event,target,change})=>event===null?[]:[{event,title:titleOf(target),about:change??``}])}function titleOf(target){return target===null?null:stem(target)}function candidatesFor({event,title,about},all){const isOnly=title!==null&&all.filter(one=>one.title===title).length===1;return[{value:isOnly&&title!==null?title:event,about:isOnly?about:`${title??``} ${about}`.trim()}]}export{complete,completion};
//# sourceMappingURL=completion-YjNWdoAD.js.map