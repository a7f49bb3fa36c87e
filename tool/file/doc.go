// Package file reads, lists, searches and patches files for a model: [Read] gives
// a page of lines, [List] and [Search] look through a folder as git sees it, and
// [Apply] does a patch to several files, all or none. [Hash] tells contents apart.
//
// Errors are sentences that tell the model what is so and what to try. What may
// be written is not decided here: [Apply] is given the folders it may
// touch, and cannot leave them.
package file
