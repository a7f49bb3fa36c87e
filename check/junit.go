package check

import (
	"encoding/xml"
	"io"
)

// The elements of JUnit's reports, as far as continuous-integration servers agree
// on them. There are no times in it: the same policy and session give the same
// file.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitFailure `xml:"failure"`
		Skipped *junitSkipped `xml:"skipped"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",cdata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// WriteJUnit writes reports in the XML form that continuous-integration servers
// read: a test suite for each session, a test case for each rule.
func WriteJUnit(w io.Writer, policy string, reports []*Report) error {
	all := junitSuites{Name: plain(policy), junitCounts: counts(reports...)}
	for _, r := range reports {
		suite := junitSuite{Name: plain(r.Session), junitCounts: counts(r)}
		for _, v := range r.Verdicts {
			suite.Cases = append(suite.Cases, v.junit())
		}
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func counts(reports ...*Report) junitCounts {
	c := junitCounts{Failures: Count(reports, Failed), Skipped: Count(reports, Skipped)}
	c.Tests = c.Failures + c.Skipped + Count(reports, Held)
	return c
}

func (v Verdict) junit() junitCase {
	c := junitCase{Name: plain(v.Rule), Class: plain(v.Policy + "." + v.Strategy)}
	switch v.State {
	case Failed:
		f := v.Failure
		c.Failure = &junitFailure{
			Message: plain(f.place() + ": " + f.Got), Type: v.Kind,
			Text: plain("wanted: "+f.Want) + "\n" + plain("found: "+f.Got) + "\n" + plain("look: "+f.Look) + "\n" + v.setup() + "\n",
		}
	case Skipped:
		c.Skipped = &junitSkipped{plain(v.Note)}
	}
	return c
}
