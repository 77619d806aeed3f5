// Package place knows where work is in Japan: the 47 prefectures with their codes
// (JIS X 0401), the municipalities with theirs (全国地方公共団体コード), and postcodes as
// people type them. Start with Find, Prefecture.Municipality and Postcode.
//
// It has no map and no streets, and knows nothing of other countries. The list of
// municipalities is of one day, which its head names.
package place
