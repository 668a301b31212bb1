package frontdesk

// Owner says whose rows a question is about: one tenant in one mode. Every
// store method that serves a customer takes it, right after the context.
type Owner struct {
	TenantID ID
	Live     bool
}

// The bounds of a page.
const (
	DefaultPageSize = 25
	MaxPageSize     = 100
)

// Page asks for the items after a position, newest first. The zero value asks
// for the first page of the default size.
type Page struct {
	Limit         int
	StartingAfter ID
}

// List is one page of items. More says whether another one follows.
type List[T any] struct {
	Items []T
	More  bool
	Next  ID // where the next page goes on, if that is not after the last item
}
