package wire

// Error spells the error envelope: exactly five fields, always. param is ""
// when no parameter is involved.
func Error(kind, code, message, param, requestID string) []byte {
	b := append([]byte(`{"error":{"type":`), appendString(nil, kind)...)
	b = append(b, `,"code":`...)
	b = appendString(b, code)
	b = append(b, `,"message":`...)
	b = appendString(b, message)
	b = append(b, `,"param":`...)
	if param == "" {
		b = append(b, `null`...)
	} else {
		b = appendString(b, param)
	}
	b = append(b, `,"request_id":`...)
	b = appendString(b, requestID)
	return append(b, `}}`...)
}
