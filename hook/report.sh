# The file of one report: shared by vigil-hook and vigil-statusline, and written into both. A reader
# takes it as complete once its last line is a dot, which no line of JSON is. Expects `set -C`.

# So many files of one process id can only be left over from a daemon that is long gone.
report_same_pid_max=100

report_newline='
'

# Opens file descriptor 3 on a file that was not there. Where none can be made the report goes to
# /dev/null, so that the client does not find its pipe closed.
open_report() {
  report=$spool/$1.$$
  command exec 3>"$report" && return
  [ -d "$spool" ] || mkdir -p "$spool"
  count=0
  until command exec 3>"$report"; do
    count=$((count + 1))
    report=$spool/$1.$$.$count
    if [ "$count" -gt "$report_same_pid_max" ]; then forget_report; return; fi
  done
}

# These variables and those of the agent alone: the environment holds secrets. Each ends where its
# line does. What else there is to tell comes as arguments.
begin_report() {
  tty=${TTY:-${SSH_TTY:-${GPG_TTY-}}}
  find_terminal
  printf '%s\n' 'vigil 1' \
    "agent=$agent" \
    "ppid=$PPID" \
    "tmux=${TMUX%%"$report_newline"*}" \
    "tmuxPane=${TMUX_PANE%%"$report_newline"*}" \
    "tty=${tty%%"$report_newline"*}" \
    "terminal=${terminal%%"$report_newline"*}" \
    "$@" '' >&3 || drop_report
}

# Many terminals name themselves only by variables of their own. tmux and screen put their name in
# the place of the terminal they run in.
find_terminal() {
  terminal=${TERM_PROGRAM-}
  case $terminal in '' | tmux | screen) ;; *) return ;; esac
  if [ "${KITTY_WINDOW_ID-}" ]; then terminal=kitty
  elif [ "${WEZTERM_PANE-}" ]; then terminal=WezTerm
  elif [ "${WT_SESSION-}" ]; then terminal=WindowsTerminal
  elif [ "${ALACRITTY_WINDOW_ID-}" ]; then terminal=alacritty
  elif [ "${GHOSTTY_RESOURCES_DIR-}" ]; then terminal=ghostty
  elif [ "${ITERM_SESSION_ID-}" ]; then terminal=iTerm.app
  elif [ "${KONSOLE_VERSION-}" ]; then terminal=konsole
  elif [ "${VTE_VERSION-}" ]; then terminal=vte
  fi
}

end_report() {
  printf '\n.\n' >&3 || drop_report
}

# A report that could not be written leaves nothing behind.
drop_report() {
  [ -z "$report" ] || rm -f "$report"
  forget_report
}

forget_report() {
  report=
  command exec 3>/dev/null
}
