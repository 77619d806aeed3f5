package serve

import "net/http"

// Handler is everything that the server answers over HTTP, without a network.
func (s *Server) Handler() http.Handler { return s.routes() }
