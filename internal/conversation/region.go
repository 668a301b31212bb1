package conversation

import "strings"

// countryOf is the country that a time zone suggests, for telephone numbers that
// say none. A business that gives its own number with a country code needs no
// guess.
func countryOf(zone string) string {
	if country := countries[zone]; country != "" {
		return country
	}
	switch area, _, _ := strings.Cut(zone, "/"); {
	case strings.HasPrefix(zone, "America/Argentina/"):
		return "AR"
	case area == "America" || area == "US":
		return "US"
	case area == "Australia":
		return "AU"
	}
	return "ES"
}

// countries are those whose callers are likeliest to speak Spanish or English,
// and Spain's neighbours, by their zones.
var countries = map[string]string{
	"America/Mexico_City": "MX", "America/Monterrey": "MX", "America/Tijuana": "MX", "America/Cancun": "MX", "America/Merida": "MX",
	"America/Hermosillo": "MX", "America/Chihuahua": "MX", "America/Mazatlan": "MX",
	"America/Bogota": "CO", "America/Lima": "PE", "America/Santiago": "CL", "America/Buenos_Aires": "AR", "America/Caracas": "VE",
	"America/Guayaquil": "EC", "America/La_Paz": "BO", "America/Asuncion": "PY", "America/Montevideo": "UY", "America/Panama": "PA",
	"America/Costa_Rica": "CR", "America/Guatemala": "GT", "America/El_Salvador": "SV", "America/Tegucigalpa": "HN",
	"America/Managua": "NI", "America/Havana": "CU", "America/Santo_Domingo": "DO", "America/Puerto_Rico": "PR",
	"America/Sao_Paulo": "BR", "America/Jamaica": "JM", "America/Port_of_Spain": "TT", "America/Nassau": "BS",
	"America/Toronto": "CA", "America/Vancouver": "CA", "America/Edmonton": "CA", "America/Winnipeg": "CA", "America/Halifax": "CA",
	"America/St_Johns": "CA", "America/Regina": "CA",
	"Europe/London": "GB", "Europe/Dublin": "IE", "Europe/Lisbon": "PT", "Europe/Paris": "FR", "Europe/Andorra": "AD",
	"Europe/Gibraltar": "GI", "Europe/Berlin": "DE", "Europe/Rome": "IT", "Europe/Malta": "MT", "Europe/Brussels": "BE",
	"Europe/Amsterdam": "NL", "Europe/Zurich": "CH", "Europe/Vienna": "AT",
	"Africa/Malabo": "GQ", "Africa/Johannesburg": "ZA", "Africa/Lagos": "NG", "Africa/Nairobi": "KE",
	"Pacific/Auckland": "NZ", "Pacific/Honolulu": "US", "Asia/Singapore": "SG", "Asia/Manila": "PH", "Asia/Kolkata": "IN",
}
