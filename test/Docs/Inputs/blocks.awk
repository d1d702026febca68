# Writes the fenced blocks of a Markdown file that follow an HTML comment to folder/0.txt, folder/1.txt, ...; all but the first as
# FileCheck lines.
/^<!-- / { wanted = 1; next }
/^```/ {
  if (inside) { inside = 0; close(file); number++ }
  else if (wanted) { inside = 1; wanted = 0; first = 1; file = folder "/" (number + 0) ".txt" }
  next
}
inside && number == 0 { print > file }
inside && number > 0 { print (first ? "CHECK: " : "CHECK-NEXT: ") $0 > file; first = 0 }
