#!/bin/sh
# janitor.sh ROOT SOCKET: waits until the process that holds its standard input is gone, by its end, a crash
# or kill -9, and then ends everything that was started in ROOT, and removes it.
root=$1
case $root in */vigil-lab-*) ;; *) exit 2 ;; esac

cat >/dev/null
tmux -L "$2" kill-server 2>/dev/null

# The private home in a process's environment says that it was started here, whatever its parent.
started_here() {
  if [ -d /proc/self ]; then
    grep -lzxF "HOME=$root/home" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3
  else
    ps -axEww -o pid=,command= | grep -F "HOME=$root/home" | grep -vF grep | awk '{print $1}'
  fi
}

# Two rounds at least: a process may start another while it is being ended.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  pids=$(started_here)
  [ -n "$pids" ] || break
  kill -9 $pids 2>/dev/null
  sleep 0.05
done
rm -rf -- "$root"
