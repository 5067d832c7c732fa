// Package embedding owns the talk with an endpoint that turns texts into vectors, in the form that OpenAI gave it and others follow.
//
// It refuses to know what the texts are, to keep anything, and to wait long: what it cannot get soon is an error.
package embedding

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// Client asks one model at one endpoint.
type Client struct {
	api   openai.Client
	model string
}

// timeout bounds one call to the endpoint.
const timeout = 30 * time.Second

// New makes a client. The address is that below which /embeddings is, such as http://127.0.0.1:11434/v1; the key may be empty.
func New(address, key, model string) *Client {
	return &Client{model: model, api: openai.NewClient(
		option.WithBaseURL(address), option.WithAPIKey(key), option.WithMaxRetries(0), option.WithHTTPClient(&http.Client{Timeout: timeout}),
	)}
}

// Model names what makes the vectors: those of two models cannot be compared.
func (c *Client) Model() string { return c.model }

// Embed answers a vector for each of the texts, in their order, all of one length.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	answer, err := c.api.Embeddings.New(ctx, openai.EmbeddingNewParams{
		Model: c.model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts},
	})
	if err != nil {
		return nil, fmt.Errorf("ask for embeddings: %w", plain(err))
	}
	out := make([][]float32, len(texts))
	length := 0
	for _, one := range answer.Data {
		if one.Index < 0 || one.Index >= int64(len(out)) || len(one.Embedding) == 0 || length > 0 && len(one.Embedding) != length {
			return nil, errors.New("ask for embeddings: the answer is none to these texts")
		}
		length = len(one.Embedding)
		v := make([]float32, length)
		for i, x := range one.Embedding {
			v[i] = float32(x)
		}
		out[one.Index] = v
	}
	for _, v := range out {
		if v == nil {
			return nil, errors.New("ask for embeddings: a text has no vector")
		}
	}
	return out, nil
}

// plain says of a refusal its status alone: what an endpoint answers may repeat the texts.
func plain(err error) error {
	var refused *openai.Error
	if errors.As(err, &refused) {
		return fmt.Errorf("the endpoint answered HTTP %d", refused.StatusCode)
	}
	return err
}
