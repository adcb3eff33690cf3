/** The help of `vigil loop start`. */
export const START_HELP = `
Modes:
  loop     the prompt again and again, until the agent says that it is done
  issue    one item, in a git worktree and branch of its own; --item makes it this
  grind    items one after another, each as an issue; --from makes it this

Examples:
  vigil loop start --prompt "make the tests pass" --until "npm test"
  vigil loop start payments --prompt-file plan.md --max 30 --for 2h --budget 5
  vigil loop start --item "fix the date parser" --until "make check"
  vigil loop start --from github --filter "label:bug author:@me" --item 12
  vigil loop start --from tasks.md                    every unchecked - [ ] of it
  vigil loop start --from "./next-tasks --json"       a JSON array of texts or {id,title,text}

The agent ends it by a line of its own, <loop-done>COMPLETE</loop-done>; it is told how. With
--until the command decides instead; an item is done when both say so. Whatever comes first ends
it, too: --max, --for, --budget, turns without progress, two hours without a sign. Issues are
written by whoever may write them: choose those you would give to the agent.

An agent that stands idle is told at once where typing into its session is on (vigil typing SESSION
on); otherwise the loop begins with its next prompt. Within an agent only its own session can be put
into a loop, with a prompt and limits; --until and --from are for you, in a terminal.

A worktree is made in .vigil/worktrees of the repository, which git is told to ignore. It goes,
with its branch, when it is merged and holds nothing uncommitted.`
