//! Shell completions for `git-cora`, and for `git cora` through Git's own completion.
//!
//! The link between the two differs by shell. Bash calls a function `_git_cora`, which has to find
//! its words inside a longer command line. Zsh lists and calls `_git-cora` by itself, if its second
//! line is a `#description`. Fish passes `git cora …` to the completions of `git-cora` by itself.

use anyhow::{Context as _, Result};
use clap::Command;
use clap_complete::Shell;

use super::Output;

/// The function for Git's completion, appended to clap's bash script.
const BASH: &str = r#"
# Called by Git's completion for "git [options] cora …": the words before "cora" are Git's own. $words and
# $cword are set by it; clap's function reads COMP_WORDS and COMP_CWORD.
_git_cora() {
    local git_cora_at=${__git_cmd_idx:-1}
    while [[ ${git_cora_at} -lt ${cword} && ${words[git_cora_at]} != cora ]]; do
        git_cora_at=$((git_cora_at + 1))
    done
    local COMP_WORDS=(git-cora "${words[@]:git_cora_at+1}")
    local COMP_CWORD=$((cword - git_cora_at))
    # Revisions and remotes are Git's to complete.
    case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD - 1]}" in
        *" --rev") __git_complete_refs; return ;;
    esac
    case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD]}" in
        *" -"*) ;;
        "index "* | "verify "*)
            if [[ ${COMP_CWORD} -gt 1 ]]; then __git_complete_refs; return; fi ;;
        "push "* | "fetch "*)
            if [[ ${COMP_CWORD} -eq 2 ]]; then __gitcomp_nl "$(__git_remotes)"; return; fi
            if [[ ${COMP_CWORD} -gt 2 ]]; then __git_complete_refs; return; fi ;;
    esac
    _git__cora git-cora "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
}
"#;

/// Renders the script for each shell, under the file name that the shell looks for.
pub(super) fn outputs() -> Result<Vec<Output>> {
    let command = &super::command("git-cora");
    // clap_complete 4.6 spells the program's hyphen in two ways. Without this, no command would be
    // reached.
    let bash = script(Shell::Bash, command)?.replace("git__subcmd__cora", "git__cora") + BASH;
    let zsh = script(Shell::Zsh, command)?;
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let (first, rest) = zsh.split_once('\n').context("clap's zsh script has a first line")?;
    let zsh = format!("{first}\n#description {}\n{rest}", about.to_lowercase().trim_end_matches('.'));
    let fish = script(Shell::Fish, command)?;
    let outputs = [("git-cora.bash", bash), ("_git-cora", zsh), ("git-cora.fish", fish)];
    Ok(outputs.map(|(name, text)| Output { path: format!("completions/{name}"), text }).into())
}

fn script(shell: Shell, command: &Command) -> Result<String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command.clone(), "git-cora", &mut text);
    Ok(String::from_utf8(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bash_reaches_every_command() -> Result<()> {
        let outputs = outputs()?;
        let bash = outputs.iter().find(|output| output.path.ends_with(".bash")).context("no bash script")?;
        for command in crate::codegen::command("git-cora").get_subcommands() {
            let label = format!("git__cora__subcmd__{}", command.get_name());
            assert!(bash.text.contains(&format!("cmd=\"{label}\"")), "{label} is not set");
            assert!(bash.text.contains(&format!("        {label})")), "{label} is not reached");
        }
        assert!(bash.text.contains("_git__cora() {") && bash.text.contains("_git__cora git-cora"));
        Ok(())
    }
}
