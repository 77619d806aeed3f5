package practice

import (
	"slices"
	"strings"
)

// stateNames are the answers of every state question: the states, the District
// of Columbia under the name that is close to Washington's and stands before
// it, and the territories.
var stateNames = []string{
	"Alabama", "Alaska", "American Samoa", "Arizona", "Arkansas", "California", "Colorado", "Connecticut",
	"Delaware", "Washington, D.C.", "Federated States of Micronesia", "Florida", "Georgia", "Guam", "Hawaii",
	"Idaho", "Illinois", "Indiana", "Iowa", "Kansas", "Kentucky", "Louisiana", "Maine", "Marshall Islands",
	"Maryland", "Massachusetts", "Michigan", "Minnesota", "Mississippi", "Missouri", "Montana", "Nebraska",
	"Nevada", "New Hampshire", "New Jersey", "New Mexico", "New York", "North Carolina", "North Dakota",
	"Northern Mariana Islands", "Ohio", "Oklahoma", "Oregon", "Palau", "Pennsylvania", "Puerto Rico",
	"Rhode Island", "South Carolina", "South Dakota", "Tennessee", "Texas", "Utah", "Vermont", "Virgin Islands",
	"Virginia", "Washington", "West Virginia", "Wisconsin", "Wyoming",
}

func knownState(value string, _ answers) bool { return slices.Contains(stateNames, value) }

// schools is a long remote list whose entries resemble each other; they need
// not exist. The schools of the given state come first.
func schools(state string) []string {
	var first, rest []string
	for _, s := range stateNames {
		list := []string{s + " State University", "University of " + s + " - Online", "University of " + s, "Community College of " + s}
		if s == state {
			first = list
			continue
		}
		rest = append(rest, list...)
	}
	return append(first, rest...)
}

func knownSchool(value string, _ answers) bool { return slices.Contains(schools(""), value) }

// maxSuggestions is how many schools one answer suggests.
const maxSuggestions = 20

// matching returns the entries that contain the query, whatever its case.
func matching(list []string, query string) []string {
	query = strings.ToLower(strings.TrimSpace(query))
	found := []string{}
	for _, entry := range list {
		if query != "" && strings.Contains(strings.ToLower(entry), query) {
			found = append(found, entry)
		}
	}
	return found
}
