package config

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// field is one setting, as its tags define it.
type field struct {
	name   string
	env    []string
	tag    reflect.StructTag
	index  int
	secret bool
}

// fieldList reads the tags of Config in order.
func fieldList() []field {
	var out []field
	t := reflect.TypeFor[Config]()
	for i := range t.NumField() {
		sf := t.Field(i)
		if !sf.IsExported() {
			continue
		}
		out = append(out, field{
			name: sf.Tag.Get("name"), env: strings.Split(sf.Tag.Get("env"), ","),
			tag: sf.Tag, index: i, secret: sf.Tag.Get("secret") == "true",
		})
	}
	return out
}

func (f field) value(c *Config) reflect.Value { return reflect.ValueOf(c).Elem().Field(f.index) }

// set parses text into the field. Its errors never quote the text: a secret may
// have been put into the wrong variable.
func (f field) set(c *Config, text string) error {
	v := f.value(c)
	switch p := v.Addr().Interface().(type) {
	case *string:
		return f.setWord(p, text)
	case *bool:
		b, err := parseBool(text)
		*p = b
		return err
	case **bool:
		b, err := parseBool(text)
		*p = &b
		return err
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return errors.New("must be a whole number")
		}
		*p = n
		return f.bounds(float64(n), func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
	case *time.Duration:
		d, err := f.parseDuration(text)
		if err != nil {
			return err
		}
		*p = d
		return f.bounds(float64(d), func(s string) (float64, error) {
			d, err := time.ParseDuration(s)
			return float64(d), err
		})
	}
	return fmt.Errorf("has the unsupported type %v", v.Type())
}

func (f field) setWord(p *string, text string) error {
	if allowed := f.tag.Get("enum"); allowed != "" && text != "" && !slices.Contains(strings.Split(allowed, ","), text) {
		return fmt.Errorf("must be one of %s", strings.ReplaceAll(allowed, ",", ", "))
	}
	*p = text
	return nil
}

func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "1", "true", "yes", "on":
		return true, nil
	case "0", "false", "no", "off":
		return false, nil
	}
	return false, errors.New("must be true or false")
}

// parseDuration reads 90s, 2m, or a bare number in the field's unit, which is
// how the specifications write times.
func (f field) parseDuration(text string) (time.Duration, error) {
	unit := f.tag.Get("unit")
	one, err := time.ParseDuration("1" + unit)
	if err != nil {
		return 0, fmt.Errorf("has no usable unit: %w", err)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		if math.IsNaN(n) || math.Abs(n)*float64(one) > math.MaxInt64 {
			return 0, errors.New("is out of range")
		}
		return time.Duration(n * float64(one)), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("must be a time such as 90s or 2m, or a number of %s", unit)
	}
	return d, nil
}

// bounds checks min and max.
func (f field) bounds(v float64, parse func(string) (float64, error)) error {
	low, high := f.tag.Get("min"), f.tag.Get("max")
	l, err := parse(low)
	if err != nil {
		return fmt.Errorf("has no usable lower bound: %w", err)
	}
	h, err := parse(high)
	if err != nil {
		return fmt.Errorf("has no usable upper bound: %w", err)
	}
	if v < l || v > h {
		return fmt.Errorf("must be from %s to %s", low, high)
	}
	return nil
}

// text is the value as it would be written in the settings file.
func (f field) text(c *Config) string {
	switch v := f.value(c).Interface().(type) {
	case *bool:
		if v == nil {
			return ""
		}
		return strconv.FormatBool(*v)
	default:
		return fmt.Sprint(v)
	}
}
