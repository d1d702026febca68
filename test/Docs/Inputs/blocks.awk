# Writes the fenced blocks of a Markdown file that follow an HTML comment to folder/0.txt, folder/1.txt, ...
/^<!-- / { wanted = 1; next }
/^```/ {
  if (inside) { inside = 0; close(file); number++ }
  else if (wanted) { inside = 1; wanted = 0; file = folder "/" (number + 0) ".txt" }
  next
}
inside { print > file }
