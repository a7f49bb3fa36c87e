// Package sandbox holds commands to rules: what they may write and whether they
// reach the network. [Rules] say what is allowed, [Open] finds a method that
// works on this machine, the [Box] it returns starts commands, and its [Report]
// says honestly what holds.
//
//	Rules ──► Open ──► Box ──► Command ──► exec.Cmd
//	                    └────► Report
//
// Methods, best first: bubblewrap, when it is installed and works; a child of
// this program that confines itself by Landlock, seccomp and, where the kernel
// lets it, its own mounts and network; none. The second needs [Main] to be
// called first thing in the program's main function.
//
// It decides nothing about approvals and knows nothing of models. File tools
// that write in this process ask [Rules.Check] instead.
package sandbox
