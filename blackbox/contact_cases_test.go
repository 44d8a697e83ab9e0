package blackbox_test

const (
	badCustomerToken = `{"message":"Invalid customer token."}`
	bookChanged      = `{"message":"The address book has changed.","code":"version_mismatch"}`
	bookFull         = "The address book is full."
)
