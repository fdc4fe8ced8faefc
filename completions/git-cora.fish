# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_git_cora_global_optspecs
    string join \n C= q/quiet v/verbose
end

function __fish_git_cora_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_git_cora_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_git_cora_using_subcommand
    set -l cmd (__fish_git_cora_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c git-cora -n "__fish_git_cora_needs_command" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_needs_command" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_needs_command" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "init" -d 'Keep this repository indexed: install hooks and settings'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "uninstall" -d 'Remove what `init` installed'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "index" -d 'Index commits'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "query" -d 'Search the working tree or a revision'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "ask" -d 'Answer a question, with sources'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "stats" -d 'Show what an index holds'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "list" -d 'List declarations'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "refs" -d 'Show what refers to a declaration, and what it refers to'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "related" -d 'Show what is connected to a place by references'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "map" -d 'Show the declarations that matter most, by file'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "explain" -d 'Write a page about a file or a declaration'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "show" -d 'Show what is recorded about a file'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "diff" -d 'Show which declarations differ between two commits, or between a commit and the working tree'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "impact" -d 'Show what a change affects beyond its lines'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "changelog" -d 'List what a range of commits did to the API'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "log" -d 'Show the history of a declaration'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "when" -d 'Find when something was added, and when it was removed'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "blame" -d 'Show who wrote a declaration'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "verify" -d 'Recompute an index and compare it'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "prune" -d 'Drop indexes that are no longer needed'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "push" -d 'Send indexes to a remote'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "fetch" -d 'Get indexes from a remote'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "embed" -d 'Compute vectors for a commit with a remote model'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "annotate" -d 'Have a language model write commentary on a commit'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "export" -d 'Write an index to a PostgreSQL database'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "doctor" -d 'Check the set-up and suggest what to do'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "mcp" -d 'Serve coding agents over the Model Context Protocol'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "lsp" -d 'Serve editors over the Language Server Protocol'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "serve" -d 'Serve programs over HTTP, and a web page for people'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "watch" -d 'Keep searches fast while files and refs change'
complete -c git-cora -n "__fish_git_cora_needs_command" -f -a "man" -d 'Show a manual page, or install all of them'
complete -c git-cora -n "__fish_git_cora_using_subcommand init" -l agent -d 'Only add git cora to this coding agent\'s configuration; may be repeated' -r -f -a "claude\t'Claude Code'
codex\t'Codex'
cursor\t'Cursor'
gemini\t'Gemini CLI'
vscode\t'Visual Studio Code'
zed\t'Zed'
agents-md\t'Any agent that reads `AGENTS.md`'"
complete -c git-cora -n "__fish_git_cora_using_subcommand init" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand init" -l hooks-only -d 'Install only the hooks. Change no settings, and index nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand init" -l no-hooks -d 'Install no hooks, but do everything else'
complete -c git-cora -n "__fish_git_cora_using_subcommand init" -l skill -d 'Also tell the agent when to search, and permit what only reads'
complete -c git-cora -n "__fish_git_cora_using_subcommand init" -s n -l dry-run -d 'Show what would be done, and do nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand init" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand init" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand uninstall" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand uninstall" -s n -l dry-run -d 'Show what would be done, and do nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand uninstall" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand uninstall" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -l max-fill -d 'Also index at most N commits between a named commit and its nearest indexed ancestor' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -l all -d 'Index the tips of all branches, remote-tracking branches and tags'
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -l branches -d 'Index the tips of all local branches'
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -l tags -d 'Index all tags that point to commits'
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -l force -d 'Compute every record again instead of reusing stored ones'
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand index" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l messages -d 'Take the question from a chat: FILE holds its messages as JSON, `-` is standard input' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l repo -d 'Search the repository that contains PATH, at revision REV, instead of the current one; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l remote -d 'Search the repository at URL, without a clone of it' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l store -d 'Search the repositories that were exported to the database at URL' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l include -d 'Show FILE, or a declaration in it, before all results; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l boost -d 'Multiply the scores of files that match the pathspec SPEC by FACTOR; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l min-score -d 'Leave out results whose relevance is below N, a number from 0 to 1' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l rev -d 'Search revision REV, or what changed in A..B or A...B' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -s k -l limit -d 'Return at most N results; `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l path -d 'Only files that match the pathspec SPEC; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l lang -d 'Only files in language LANG; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l kind -d 'Only this kind of chunk or declaration; may be repeated' -r -f -a "function\t''
method\t''
constructor\t''
class\t''
struct\t''
interface\t''
enum\t''
variant\t''
union\t''
type\t''
implementation\t''
module\t''
constant\t''
variable\t''
field\t''
macro\t''
test\t''
section\t''
key\t''
rule\t''
table\t''
element\t''
head\t''
group\t''
code\t''
data\t''
window\t''"
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l format -d 'How to write the answer' -r -f -a "text\t'For people: place, symbol and highlighted code'
json\t'One object, as documented in the JSON schema'
rag\t'A `<cora:rag-result>` view for a language model'
paths\t'One `path:line: symbol` per line, best first; for quoted text, also the text of the line'
files\t'One path per line, best first'
markdown\t'Headings and fenced code'"
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l references -d 'With `--format markdown`, write the place of each numbered result to FILE' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l dialect -d 'Which tags `--format rag` uses' -r -f -a "cora\t'`<cora:rag-result>`: files with their chunks'
coderag\t'`<codeRag:rag-result>`: chunks, each with file, lines and character offsets'"
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l family -d 'Write `--format rag` in the form that a model\'s vendor recommends' -r -f -a "claude\t'Anthropic\'s'
openai\t'OpenAI\'s'"
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l length -d 'Keep the whole answer within N characters' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l tokens -d 'Keep the whole answer within N tokens of a language model' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l context -d 'Show N more lines of the file before and after each result' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l fresh -d 'Delete the cached copy of the remote repository first'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l no-worktree -d 'Search HEAD, not the working tree'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l test -d 'Show only tests'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l no-test -d 'Leave out tests'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l all-chunks -d 'Return every chunk that matches, not just the best of each file'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -s l -l files-with-matches -d 'Print only the paths of the files, best first: short for `--format files`'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l explain -d 'Show how each score is composed'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l batch -d 'Read queries as JSON lines from standard input, write answers as JSON lines'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand query" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l rev -d 'Use revision REV instead of the working tree' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l path -d 'Only files that match the pathspec SPEC; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l lang -d 'Only files in language LANG; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l kind -d 'Only this kind of chunk or declaration; may be repeated' -r -f -a "function\t''
method\t''
constructor\t''
class\t''
struct\t''
interface\t''
enum\t''
variant\t''
union\t''
type\t''
implementation\t''
module\t''
constant\t''
variable\t''
field\t''
macro\t''
test\t''
section\t''
key\t''
rule\t''
table\t''
element\t''
head\t''
group\t''
code\t''
data\t''
window\t''"
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l steps -d 'Search in at most N steps' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l tokens -d 'Show, or send, at most N tokens of evidence' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l budget -d 'Use at most N tokens of the model; 0 means no limit' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l trace -d 'Record questions, results and replies as JSON lines in FILE. FILE must not exist yet' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l resume -d 'Continue from a trace; replies in it are not requested again' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l no-worktree -d 'Use HEAD instead of the working tree'
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l extractive -d 'Use no language model: show the evidence'
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l show-context -d 'Also print what the model is shown'
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -s n -l dry-run -d 'Show what would be done, and do nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand ask" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -l rev -d 'Use revision REV' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -l skipped -d 'List every skipped file with the reason'
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -l unparsed -d 'Measure how much code of each language the parser can\'t parse'
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand stats" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -l rev -d 'Use revision REV' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -l path -d 'Only files that match the pathspec SPEC; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -l lang -d 'Only files in language LANG; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -l kind -d 'Only this kind of declaration; may be repeated' -r -f -a "function\t''
method\t''
constructor\t''
class\t''
struct\t''
interface\t''
enum\t''
variant\t''
union\t''
type\t''
implementation\t''
module\t''
constant\t''
variable\t''
field\t''
macro\t''
test\t''
section\t''
key\t''
rule\t''
table\t''
element\t''"
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -s k -l limit -d 'Show at most N items; without this flag, show all. `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand list" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l depth -d 'Follow references up to N steps' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -s k -l limit -d 'Show at most N items in each list; `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l rev -d 'Use revision REV' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l repo -d 'Use the repository that contains PATH, at revision REV, instead of the current one; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l format -d 'How the lists are written. With `paths` and `files`, `--limit` is the number of lines' -r -f -a "text\t'For people'
json\t'For programs'
paths\t'One `path:line: symbol` per line, without repeats: each place that refers to the declaration, with the line of the reference. With `--callees`: each declaration that it refers to'
files\t'Only the files of these places, one path per line, without repeats'"
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l callers -d 'Only what calls or constructs it, or refers to it as a type'
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l callees -d 'Only what it calls or constructs, or refers to as a type'
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l implementers -d 'Only what inherits, implements or overrides it'
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l certain -d 'Leave guesses out'
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand refs" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -s k -l limit -d 'Show at most N places; `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -l rev -d 'Use revision REV' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -l repo -d 'Use the repository that contains PATH, at revision REV, instead of the current one; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand related" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l file -d 'A file that you are working on: the map leaves out this file, and declarations connected with it come first; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l tokens -d 'Print at most N tokens (encoding cl100k_base), as text or as JSON' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -s k -l limit -d 'Show at most N items; without this flag, show all. `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l path -d 'Only files that match the pathspec SPEC; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l lang -d 'Only files in language LANG; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l kind -d 'Only this kind of declaration; may be repeated' -r -f -a "function\t''
method\t''
constructor\t''
class\t''
struct\t''
interface\t''
enum\t''
variant\t''
union\t''
type\t''
implementation\t''
module\t''
constant\t''
variable\t''
field\t''
macro\t''
test\t''
section\t''
key\t''
rule\t''
table\t''
element\t''"
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l rev -d 'Use revision REV' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand map" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -s k -l limit -d 'Show at most N items in each list; `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -l length -d 'Keep the page within N characters' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -l tokens -d 'Keep the page within N tokens of a language model, counted with the encoding `cl100k_base`' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -l rev -d 'Use revision REV' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -l permalinks -d 'Link to the web host of `origin`, at the commit'
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand explain" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -l rev -d 'Use revision REV' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -l chunk -d 'Show only chunk N, with its text; counted from 1' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -l raw -d 'Show the four sections of the record as they are stored, with their sizes'
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand show" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -l path -d 'Only files that match the pathspec SPEC; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -l lang -d 'Only files in language LANG; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -l kind -d 'Only this kind of declaration; may be repeated' -r -f -a "function\t''
method\t''
constructor\t''
class\t''
struct\t''
interface\t''
enum\t''
variant\t''
union\t''
type\t''
implementation\t''
module\t''
constant\t''
variable\t''
field\t''
macro\t''
test\t''
section\t''
key\t''
rule\t''
table\t''
element\t''"
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -s k -l limit -d 'Show at most N items; without this flag, show all. `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand diff" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l rev -d 'Look for the declaration in revision REV instead of the working tree' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l path -d 'Only changed files that match the pathspec SPEC; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l depth -d 'Follow callers this many steps, at most 8' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -s k -l limit -d 'Show at most N items in each list; `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l fail-on -d 'Exit with status 1 on this finding, and with 0 if there is none' -r -f -a "broken\t'A caller outside the change refers to a declaration that was removed or has another signature; guesses do not count'
guess\t'The same, but guesses count too'"
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l format -d 'How the answer is written' -r -f -a "text\t'For people'
markdown\t'For a comment or a document'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l tokens -d 'Keep the answer within N tokens of a language model' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l length -d 'Keep the answer within N characters' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l certain -d 'Leave out guesses'
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand impact" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -l path -d 'Only files that match the pathspec SPEC; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -s k -l limit -d 'Show at most N items; without this flag, show all. `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -l format -d 'How the list is written' -r -f -a "text\t'For people'
markdown\t'For a comment or a document'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -l tokens -d 'Keep the list within N tokens of a language model' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -l length -d 'Keep the list within N characters' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -l public -d 'Leave out internal declarations'
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand changelog" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -s k -l limit -d 'Show at most N items; without this flag, show all. `-n` means the same' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -l rev -d 'Start from revision REV instead of HEAD' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -s p -l patch -d 'Show the lines of the declaration that each commit changed'
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand log" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -l rev -d 'Search the history of revision REV instead of HEAD' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -l path -d 'Only files that match the pathspec SPEC; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -l text-only -d 'Search for the text, even if a declaration has that name'
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand when" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand blame" -l rev -d 'Look at revision REV instead of HEAD' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand blame" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand blame" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand blame" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand blame" -l moves -d 'Credit moved and copied lines to their first author, as `git blame -M -C` does'
complete -c git-cora -n "__fish_git_cora_using_subcommand blame" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand blame" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand blame" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand blame" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand verify" -l sample -d 'Recompute N records, chosen at random, instead of every one' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand verify" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand verify" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand verify" -l all -d 'Verify every index of the repository'
complete -c git-cora -n "__fish_git_cora_using_subcommand verify" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand verify" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand verify" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -l keep -d 'Keep the indexes of the newest N commits of each branch, and of a detached HEAD' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -l remote -d 'Delete from REMOTE, by name or address, instead of from this repository' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -l all -d 'Delete all indexes, vectors and commentary from the remote'
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -l yes -d 'Delete from the remote without asking'
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -s n -l dry-run -d 'Show what would be done, and do nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand prune" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand push" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand push" -l embeddings -d 'Transfer the vectors of all remote models too'
complete -c git-cora -n "__fish_git_cora_using_subcommand push" -l commentary -d 'Transfer the commentary of language models too'
complete -c git-cora -n "__fish_git_cora_using_subcommand push" -s n -l dry-run -d 'Show what would be done, and do nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand push" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand push" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand fetch" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand fetch" -l embeddings -d 'Transfer the vectors of all remote models too'
complete -c git-cora -n "__fish_git_cora_using_subcommand fetch" -l commentary -d 'Transfer the commentary of language models too'
complete -c git-cora -n "__fish_git_cora_using_subcommand fetch" -s n -l dry-run -d 'Show what would be done, and do nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand fetch" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand fetch" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand embed" -l budget -d 'Send at most N tokens; 0 means no limit' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand embed" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand embed" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand embed" -s n -l dry-run -d 'Show what would be done, and do nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand embed" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand embed" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand embed" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand annotate" -l path -d 'Only files that match the pathspec SPEC; may be repeated' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand annotate" -l budget -d 'Use at most N tokens, sent and received; 0 means no limit' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand annotate" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand annotate" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand annotate" -s y -l yes -d 'Send without asking'
complete -c git-cora -n "__fish_git_cora_using_subcommand annotate" -s n -l dry-run -d 'Show what would be done, and do nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand annotate" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand annotate" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand annotate" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -l to -d 'The database: `postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE`' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -l name -d 'Name of the repository in the database; by default its remote\'s address, or its directory' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -l rev -d 'Use revision REV' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -l with-text -d 'Write the sources too'
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -l fresh -d 'Delete the repository\'s rows first'
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand export" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand doctor" -l format -d 'The same choice by name' -r -f -a "text\t'For people'
json\t'For programs'"
complete -c git-cora -n "__fish_git_cora_using_subcommand doctor" -l color -d 'When to colour the text' -r -f -a "auto\t'On a terminal'
always\t'Also when the output is a pipe'
never\t'Never'"
complete -c git-cora -n "__fish_git_cora_using_subcommand doctor" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand doctor" -l json -d 'Write JSON instead of text'
complete -c git-cora -n "__fish_git_cora_using_subcommand doctor" -l no-pager -d 'Do not send long output through a pager'
complete -c git-cora -n "__fish_git_cora_using_subcommand doctor" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand doctor" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand mcp" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand mcp" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand mcp" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand lsp" -l rev -d 'Answer from revision REV instead of the working tree' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand lsp" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand lsp" -l certain -d 'Leave guesses out'
complete -c git-cora -n "__fish_git_cora_using_subcommand lsp" -l stdio -d 'Use standard input and output, as always: some editors add this flag'
complete -c git-cora -n "__fish_git_cora_using_subcommand lsp" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand lsp" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand serve" -l listen -d 'Listen on ADDRESS, an IP address and a port; with port 0, the server picks a free port and prints it' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand serve" -l root -d 'Also serve every repository under DIR; may be repeated' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand serve" -l token-file -d 'Keep the token in FILE' -r -F
complete -c git-cora -n "__fish_git_cora_using_subcommand serve" -l allow-host -d 'Accept HOST as a name of this server; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand serve" -l allow-origin -d 'Accept requests from web pages of ORIGIN, such as `https://example.org`; may be repeated' -r
complete -c git-cora -n "__fish_git_cora_using_subcommand serve" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand serve" -l open -d 'Open the page in a browser'
complete -c git-cora -n "__fish_git_cora_using_subcommand serve" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand serve" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand watch" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand watch" -l branches -d 'Index the tips of all local branches, not only HEAD'
complete -c git-cora -n "__fish_git_cora_using_subcommand watch" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand watch" -s v -l verbose -d 'Report each step, and how long it took'
complete -c git-cora -n "__fish_git_cora_using_subcommand man" -l dir -d 'Install into DIR, or delete from it, for example `/usr/local/share/man`' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand man" -s C -d 'Run as if started in DIR' -r -f -a "(__fish_complete_directories)"
complete -c git-cora -n "__fish_git_cora_using_subcommand man" -l install -d 'Install all pages'
complete -c git-cora -n "__fish_git_cora_using_subcommand man" -l remove -d 'Delete the installed pages'
complete -c git-cora -n "__fish_git_cora_using_subcommand man" -s n -l dry-run -d 'Show what would be done, and do nothing'
complete -c git-cora -n "__fish_git_cora_using_subcommand man" -s q -l quiet -d 'Print nothing but results and errors'
complete -c git-cora -n "__fish_git_cora_using_subcommand man" -s v -l verbose -d 'Report each step, and how long it took'
