package skill

// usage tells the model what skills are and how to work with one. It stands above the
// list and is no part of the budget.
const usage = `A skill is a folder with a file SKILL.md: instructions for one kind of task, often with scripts, templates and reference texts beside it. The skills that are there are listed below.
- Use a skill when the user names it (@name or $name) or when the task is clearly of the kind that its description tells. Take as few skills as cover the task, and say in a few words which one you use and what for.
- Read its SKILL.md from beginning to end before you act on it, unless its text is already here in a <skill> fragment. A use ends with the task it was for; a later task needs a reason of its own.
- Relative paths in a skill start from the folder of its SKILL.md.
- Open only those of its further files that the task needs. Where it has a script or a template for something, run or fill that in instead of writing your own.
- If a skill cannot be read or does not fit after all, say so briefly and do the task without it.`
