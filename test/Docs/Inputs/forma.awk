# Writes the Forma of a Markdown file that follows a comment with a command to folder/0.fm, folder/1.fm, ..., and the commands to
# folder/run.sh. Forma without a command is an error. What follows <!-- mistakes --> goes to folder/mistakes.txt.
/^<!-- pipeline-run / { command = $0; sub(/^<!-- /, "", command); sub(/ -->$/, "", command); next }
/^```forma/ {
  if (!command) { print "no command before line " FNR > "/dev/stderr"; exit 1 }
  sub(/^pipeline-run /, "pipeline-run " folder "/" (number + 0) ".fm ", command)
  print command > (folder "/run.sh")
  file = folder "/" (number + 0) ".fm"; inside = 1; command = ""; next
}
/^<!-- mistakes -->$/ { wanted = 1; next }
/^```/ && wanted { file = folder "/mistakes.txt"; inside = 1; wanted = 0; next }
/^```/ { if (inside) { inside = 0; close(file); number++ } next }
inside { print > file }
