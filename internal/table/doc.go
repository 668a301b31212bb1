// Package table words what stands in the tables of a business: in price lists, menus,
// timetables.
//
//	Parse -> New -> Table.Pick -> Table.Read -> Reading.Say
//
// A row that was read from a document is a text, "Service: Cut; Price: 25 €". Parse takes
// it apart into cells with the names of their columns, and New makes a table of rows that
// stand together: only together do they show what kind of thing each column holds, which
// of them names the row, and in which money prices are. Lines of a list of prices are rows
// as well: ParseLine and NewList. Pick tells the rows that a question means, Read finds the
// columns that it asks for in them, both by the scope of a heading, a name and the question
// (scope.go), and Say words them as sentences, in any language: prices, times, lengths, numbers, yes and no are worded anew, names are kept,
// and prose of another language is quoted.
//
// The words of columns, units and money, and those of the sentences, stand in the folder
// of each language, in table.txt; days, months and numerals in calendar.txt, as for dates.
//
// The package does not know documents or how rows are found: whoever searches tells how
// much of a question a text speaks of.
package table
