# Writes the Forma of a Markdown file that follows a comment with a command to folder/0.fm, folder/1.fm, ..., and the commands to
# folder/run.sh. Forma without a command is an error.
/^<!-- pipeline-run / { command = $0; sub(/^<!-- /, "", command); sub(/ -->$/, "", command); next }
/^```forma/ {
  if (!command) { print "no command before line " FNR > "/dev/stderr"; exit 1 }
  sub(/^pipeline-run /, "pipeline-run " folder "/" (number + 0) ".fm ", command)
  print command > (folder "/run.sh")
  file = folder "/" (number + 0) ".fm"; inside = 1; command = ""; next
}
/^```/ { if (inside) { inside = 0; close(file); number++ } next }
inside { print > file }
