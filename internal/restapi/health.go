package restapi

import (
	"net"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// health mounts what machines ask: is it alive, can it serve, which build is it, how is it doing.
func (s *Server) health() {
	s.echo.GET("/healthz", func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]string{"status": "alive"}) })
	s.echo.GET("/readyz", func(c echo.Context) error {
		if err := s.Ready(c.Request().Context()); err != nil {
			return c.JSON(http.StatusServiceUnavailable, map[string]string{"status": "not ready"})
		}
		return c.JSON(http.StatusOK, map[string]string{"status": "ready"})
	})
	s.echo.GET("/version", func(c echo.Context) error {
		return c.JSON(http.StatusOK, map[string]string{"name": "driftless", "version": s.Version})
	})
	if s.Config.AdminAddr != "" {
		return
	}
	metrics := echo.WrapHandler(s.MetricsHandler())
	s.echo.GET("/metrics", func(c echo.Context) error {
		// Without an address of its own the page is for this machine alone. What a proxy that nobody named hands on comes from here
		// too, and is not.
		handedOn := len(s.Config.TrustedProxy) == 0 && c.Request().Header.Get("X-Forwarded-For") != ""
		if ip := net.ParseIP(c.RealIP()); handedOn || ip == nil || !ip.IsLoopback() {
			return echo.ErrNotFound
		}
		return metrics(c)
	})
}

// MetricsHandler is the page for Prometheus.
func (s *Server) MetricsHandler() http.Handler {
	return promhttp.HandlerFor(s.Metrics.Registry, promhttp.HandlerOpts{})
}
