// Package longtask lays out tasks that take far more context than a window
// holds, with facts to remember, for measuring how a harness keeps its windows
// small. The simulated model plays them: it reads file after file, and at the end
// tells the facts that it still sees. It is not for measuring models.
//
//	Shape.Write(root, folder) ──► files in root/folder
//	                         └──► Task{Model, Prompt, Facts, …} ──► any harness
//
// The types to know are [Shape], which says how large a task is and where its
// facts lie, and [Task], which says what to ask and what should come of it. The
// same shape gives the same bytes on every machine.
package longtask
