package signon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"
)

// openID is an issuer of OpenID Connect. What it publishes about itself is read when somebody first signs in; until that
// has worked once, each sign-in tries again, those at the same moment together.
type openID struct {
	p      *Provider
	flight singleflight.Group
	found  atomic.Pointer[discovered]
}

// discovered is what an issuer publishes about itself (OpenID Connect Discovery).
type discovered struct {
	provider     *oidc.Provider
	authStyle    oauth2.AuthStyle
	namesItself  bool
	verification *oidc.IDTokenVerifier
}

func (o *openID) discover(ctx context.Context) (*discovered, error) {
	if d := o.found.Load(); d != nil {
		return d, nil
	}
	// The first of several that wait may go away; the others still want the answer, and the client has a time of its own.
	ctx = context.WithoutCancel(ctx)
	d, err, _ := o.flight.Do("", func() (any, error) {
		if d := o.found.Load(); d != nil {
			return d, nil
		}
		provider, err := oidc.NewProvider(oidc.ClientContext(ctx, o.p.client), o.p.Issuer)
		if err != nil {
			return nil, fmt.Errorf("discover the issuer: %.300w", err)
		}
		var says struct {
			NamesItself bool     `json:"authorization_response_iss_parameter_supported"`
			AuthMethods []string `json:"token_endpoint_auth_methods_supported"`
		}
		if err := provider.Claims(&says); err != nil {
			return nil, fmt.Errorf("read the metadata of the issuer: %w", err)
		}
		d := &discovered{provider: provider, namesItself: says.NamesItself, authStyle: oauth2.AuthStyleInHeader}
		// Trying one after the other, as the library would, spends the code on the wrong one.
		if slices.Contains(says.AuthMethods, "client_secret_post") && !slices.Contains(says.AuthMethods, "client_secret_basic") {
			d.authStyle = oauth2.AuthStyleInParams
		}
		d.verification = provider.Verifier(&oidc.Config{ClientID: o.p.ClientID})
		o.found.Store(d)
		return d, nil
	})
	if err != nil {
		return nil, err
	}
	return d.(*discovered), nil
}

func (o *openID) oauth(ctx context.Context) (oauth2.Config, error) {
	d, err := o.discover(ctx)
	if err != nil {
		return oauth2.Config{}, err
	}
	endpoint := d.provider.Endpoint()
	endpoint.AuthStyle = d.authStyle
	scopes := o.p.Scopes
	if len(scopes) == 0 {
		scopes = []string{oidc.ScopeEmail, oidc.ScopeProfile}
	}
	if !slices.Contains(scopes, oidc.ScopeOpenID) {
		scopes = append([]string{oidc.ScopeOpenID}, scopes...)
	}
	return oauth2.Config{
		ClientID: o.p.ClientID, ClientSecret: o.p.ClientSecret, Endpoint: endpoint, RedirectURL: o.p.redirect, Scopes: scopes,
	}, nil
}

func (o *openID) promisesIssuer() bool {
	d := o.found.Load()
	return d != nil && d.namesItself
}

// idClaims are the claims of a token that are looked at beside those of the library.
type idClaims struct {
	Email      string `json:"email"`
	Verified   truth  `json:"email_verified"`
	Name       string `json:"name"`
	Authorized string `json:"azp"`
}

func (o *openID) who(ctx context.Context, token *oauth2.Token, nonce string) (Claims, error) {
	d, err := o.discover(ctx)
	if err != nil {
		return Claims{}, err
	}
	raw, _ := token.Extra("id_token").(string)
	if raw == "" {
		return Claims{}, errors.New("the provider answered without an ID token")
	}
	id, err := d.verification.Verify(ctx, raw)
	if err != nil {
		return Claims{}, fmt.Errorf("verify the ID token: %w", err)
	}
	if !same(id.Nonce, nonce) {
		return Claims{}, errors.New("the ID token is the answer to another attempt")
	}
	var says idClaims
	if err := id.Claims(&says); err != nil {
		return Claims{}, fmt.Errorf("read the ID token: %w", err)
	}
	// OpenID Connect Core section 3.1.3.7, steps 4 and 5.
	if (says.Authorized != "" || len(id.Audience) > 1) && says.Authorized != o.p.ClientID {
		return Claims{}, errors.New("the ID token was made for another client")
	}
	c := Claims{Subject: id.Subject, Name: says.Name, Email: says.Email, EmailVerified: bool(says.Verified)}
	if c.Email != "" || d.provider.UserInfoEndpoint() == "" {
		return c, nil
	}
	// Some issuers keep the address out of the token.
	info, err := d.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return Claims{}, fmt.Errorf("ask for the address: %.300w", err)
	}
	if info.Subject != id.Subject {
		return Claims{}, errors.New("the provider speaks of somebody else than its ID token") // section 5.3.2
	}
	c.Email, c.EmailVerified = info.Email, info.EmailVerified
	return c, nil
}

// truth is a boolean that some issuers write as text. Whatever is not true is false.
type truth bool

// UnmarshalJSON reads it.
func (t *truth) UnmarshalJSON(raw []byte) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	*t = truth(v == true || v == "true")
	return nil
}
