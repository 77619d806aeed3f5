package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// maxNesting is how deep an index of sitemaps may lie in others. sitemaps.org allows
// one level; sites have two.
const maxNesting = 3

// SitemapFile is one sitemap that was read, or why it was not.
type SitemapFile struct {
	URL       string `json:"url"`
	Addresses int    `json:"addresses"` // that it lists and that were taken
	Problem   string `json:"problem,omitempty"`
}

// nested is a sitemap to read, and how deep it lies.
type nested struct {
	address
	level int
}

// readSitemaps reads the sitemaps that robots.txt names, or else /sitemap.xml at the
// root, which need not be there, and gives the addresses in their order. Sitemaps of other hosts are refused:
// they cannot speak for this one (sitemaps.org, "Sitemap file location").
func (f *Frontier) readSitemaps(ctx context.Context, site address) ([]string, error) {
	r, err := f.robotsOf(ctx, site)
	if err != nil {
		return nil, err
	}
	var queue []nested
	seen := map[string]bool{}
	add := func(raw string, from address, level int) {
		a, err := f.rules.parse(raw, from.u)
		switch {
		case err != nil:
			f.noteSitemap(raw, "not an address")
		case seen[a.full]:
		case !f.sameHost(a):
			f.noteSitemap(a.full, "on another host")
		case level > maxNesting:
			f.noteSitemap(a.full, "nested too deep")
		default:
			seen[a.full] = true
			queue = append(queue, nested{exact(a), level})
		}
	}
	for _, raw := range r.sitemaps {
		add(raw, site, 0)
	}
	if len(r.sitemaps) == 0 {
		add("/sitemap.xml", site, 0)
	}
	var found []string
	for i := 0; i < len(queue); i++ { // it grows
		at := queue[i]
		if i >= f.Limits.SitemapFiles || len(found) >= f.Limits.SitemapURLs {
			f.noteSitemap(queue[i].full, fmt.Sprintf("not read: enough after %d sitemaps and %d addresses", i, len(found)))
			break
		}
		pages, maps, err := f.readSitemap(ctx, at.address, f.Limits.SitemapURLs-len(found))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found = append(found, pages...)
		for _, m := range maps {
			add(m, at.address, at.level+1)
		}
		if i == 0 && len(r.sitemaps) == 0 && (errors.Is(err, errNoSitemap) || errors.Is(err, errPage)) {
			continue
		}
		file := SitemapFile{URL: at.full, Addresses: len(pages)}
		if err != nil {
			file.Problem = err.Error()
		}
		f.sitemapFiles = append(f.sitemapFiles, file)
	}
	return found, nil
}

func (f *Frontier) sameHost(a address) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.scope.sameHost(a.u)
}

// noteSitemap records a sitemap that is not read; as many as may be read.
func (f *Frontier) noteSitemap(url, problem string) {
	if len(f.sitemapFiles) < 2*f.Limits.SitemapFiles {
		f.sitemapFiles = append(f.sitemapFiles, SitemapFile{URL: url[:min(len(url), maxAddress)], Problem: problem})
	}
}

// readSitemap reads one file: what it could give before an error counts.
func (f *Frontier) readSitemap(ctx context.Context, a address, most int) (pages, maps []string, err error) {
	if err := f.fetch.turn(ctx, a.u.Host); err != nil {
		return nil, nil, err
	}
	ans, err := f.fetch.get(ctx, a, request{method: http.MethodGet, body: f.Limits.SitemapBytes, hops: f.Limits.Redirects, accept: "application/xml,text/xml,text/plain,*/*;q=0.1"})
	switch {
	case err != nil:
		return nil, nil, errors.New(because(err))
	case ans.status == http.StatusNotFound, ans.status == http.StatusGone:
		return nil, nil, fmt.Errorf("%w: the server answered %d", errNoSitemap, ans.status)
	case ans.status != http.StatusOK:
		return nil, nil, fmt.Errorf("the server answered %d", ans.status)
	case !f.sameHost(ans.final):
		return nil, nil, errors.New("redirects to another host")
	case kindByType(ans.contentType) == kindPage && !strings.HasPrefix(strings.TrimSpace(string(ans.body[:min(len(ans.body), 100)])), "<?xml"):
		return nil, nil, errPage
	}
	list := sitemapReader{most: most, bytes: f.Limits.SitemapBytes}
	err = list.read(ans.body)
	if err == nil && ans.cut {
		err = fmt.Errorf("longer than %d bytes: the rest was not read", f.Limits.SitemapBytes)
	}
	if err == nil && ans.broken != nil {
		err = fmt.Errorf("only its beginning came: %s", because(ans.broken))
	}
	return list.pages, list.maps, err
}
