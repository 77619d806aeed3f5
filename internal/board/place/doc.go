// Package place knows where work is in Japan: the 47 prefectures with their
// codes (JIS X 0401), postcodes as people type them, and names of cities in one
// form so that they can be compared. Start with Prefectures, Postcode and City.
//
// It holds no list of cities and no map: a city is what people typed, in one
// form, and whether it exists is not checked.
package place
