// Package providertest is what every model that is asked over HTTP owes: [Run]
// holds it against a scripted server that answers as its wire documents, and as
// servers do on bad days. The answers are in testdata, one folder a wire.
//
//	func TestModel(t *testing.T) {
//		providertest.Run(t, longrein.WireChat, func(url string) longrein.Model {
//			return mine.New(url, providertest.Key)
//		})
//	}
//
// It is for tests alone, and not for models that run in the process.
package providertest
