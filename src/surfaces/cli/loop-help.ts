/** The help of `vigil loop start`. */
export const START_HELP = `
Modes:
  loop     repeat the prompt until the agent reports that the task is done
  issue    one item, in its own git worktree and branch; chosen by --item
  grind    many items, one after another, each as an issue; chosen by --from

Examples:
  vigil loop start --prompt "make the tests pass" --until "npm test"
  vigil loop start payments --prompt-file plan.md --max 30 --for 2h --budget 5
  vigil loop start --item "fix the date parser" --until "make check"
  vigil loop start --from github --filter "label:bug author:@me" --item 12
  vigil loop start --from tasks.md                    every unchecked item, - [ ]
  vigil loop start --from "./next-tasks --json"       a JSON array of texts or {id,title,text}

The agent ends the loop by writing the line <loop-done>COMPLETE</loop-done>, as the prompt explains.
With --until the command decides instead; an item needs both. The loop also ends at the first of
these: --max, --for, --budget, --patience turns without progress, two hours without activity. Anyone
may be able to write issues: choose only those you would give to the agent yourself.

An idle agent starts at once if typing into its session is on (vigil typing SESSION on); otherwise
the loop starts with your next prompt. An agent can start a loop only in its own session, with a
prompt and limits; --until and --from work only in your own terminal.

vigil makes worktrees in .vigil/worktrees of the repository, which it adds to git's ignore list. It
removes a worktree and its branch when the branch is merged and nothing is uncommitted.`
