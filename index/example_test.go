package index_test

import (
	"context"
	"fmt"

	"github.com/longrein/longrein/index"
)

func Example() {
	d := newDisk() // stands for a folder of logs
	d.write("2026/01/02", threadID(1), start(threadID(1), "/src", "fix the flaky test")...)

	x, err := index.Open("", index.Options{Logs: index.Logs{FS: d.fs, Read: d.read}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Close()
	report, _ := x.Sync(context.Background(), index.Quick)
	found, _ := x.List(context.Background(), index.Query{Cwd: "/src", Limit: 10})
	fmt.Println(report.Added, found[0].First, found[0].State)
	hits, _ := x.Search(context.Background(), index.Query{}, "flak")
	fmt.Println(hits[0].Turn, hits[0].Kind, hits[0].Text, hits[0].Marks)
	// Output:
	// 1 fix the flaky test started
	// 1 asked fix the flaky test [[8 13]]
}
