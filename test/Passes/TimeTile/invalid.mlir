// RUN: pipeline-opt --time-tile="steps=0" --verify-diagnostics %s
// RUN: not pipeline-opt --time-tile="steps=65" %s 2>&1 | FileCheck %s

// CHECK: option 'steps' is 65, expected 1 to 64
// expected-error@below {{option 'steps' is 0, expected 1 to 64}}
module {}
