package config

import (
	"net/url"
	"strings"
)

// engines are the search engines known by name.
var engines = map[string]string{
	"duckduckgo": "https://duckduckgo.com/?q={query}",
	"google":     "https://www.google.com/search?q={query}",
	"bing":       "https://www.bing.com/search?q={query}",
	"baidu":      "https://www.baidu.com/s?wd={query}",
}

// SearchURL is the address of the search engine, with {query} in it.
func (c Config) SearchURL() string {
	u, err := searchURL(c.Search)
	if err != nil { // a zero Config; what a user wrote was checked
		u = engines[Default().Search]
	}
	return u
}

// searchURL makes an address of a user's word.
func searchURL(v string) (string, error) {
	if u, ok := engines[v]; ok {
		return u, nil
	}
	u, err := url.Parse(v)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || strings.Count(v, "{query}") != 1 {
		return "", wrong("engine", "%s is neither duckduckgo, google, bing, baidu nor an address such as https://search.example/?q={query}", quote(v))
	}
	if strings.Contains(u.Host, "{query}") {
		return "", wrong("engine_server", "%s has {query} in the name of its server", quote(v))
	}
	return v, nil
}
