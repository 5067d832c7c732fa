package pg

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"
)

// DB is the database as the application role sees it. Make one with [Open]; it is safe for concurrent use.
type DB struct {
	pool *pgxpool.Pool
	orm  *gorm.DB
	log  *slog.Logger
}

// connectTimeout bounds how long opening waits for a database that is still starting.
const connectTimeout = 15 * time.Second

// Open connects as the application role. The pool is small on purpose: eight connections for two cores are as fast as
// more, and several processes share one budget. It fails when the database cannot be reached within 15 s, and when the
// role could bypass row-level security.
func Open(ctx context.Context, dsn string, log *slog.Logger) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("the database address is not valid: %w", err)
	}
	cfg.MaxConns = int32(max(8, 4*runtime.GOMAXPROCS(0)))
	cfg.ConnConfig.RuntimeParams["application_name"] = "driftless"
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database pool: %w", err)
	}
	if err := ready(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	orm, err := gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(pool)}), &gorm.Config{
		SkipDefaultTransaction: true,
		NamingStrategy:         schema.NamingStrategy{SingularTable: true},
		Logger:                 logger.Discard,
		NowFunc:                func() time.Time { return time.Now().UTC().Truncate(time.Microsecond) },
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open the database mapper: %w", err)
	}
	return &DB{pool: pool, orm: orm, log: log}, nil
}

func ready(ctx context.Context, pool *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	var unsafe bool
	err := pool.QueryRow(ctx, `select rolsuper or rolbypassrls from pg_roles where rolname = current_user`).Scan(&unsafe)
	if err != nil {
		return unreachableError{err}
	}
	if unsafe {
		return fmt.Errorf("the application's database role could bypass row-level security; give it NOSUPERUSER NOBYPASSRLS")
	}
	return nil
}

// Ping answers nil while the database can be asked something.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.pool.Ping(ctx); err != nil {
		return translate(err)
	}
	return nil
}

// Stats is the state of the pool for metrics.
func (db *DB) Stats() *pgxpool.Stat { return db.pool.Stat() }

// Queue is the pool for the workers of the queue of jobs, whose library asks for one. It reaches no row of a workspace: none
// is entered there. Only package job uses it.
func (db *DB) Queue() *pgxpool.Pool { return db.pool }

// Close ends all connections after those in use are returned.
func (db *DB) Close() { db.pool.Close() }
