# Starts a Redis server with a few keys, and becomes Redis Commander.
export LD_LIBRARY_PATH="$APP/deb/usr/lib/x86_64-linux-gnu"
"$APP/deb/usr/bin/redis-server" --port 0 --unixsocket "$STATE/redis.sock" --dir "$STATE" --save "" >redis.log 2>&1 &
cli() { "$APP/deb/usr/bin/redis-cli" -s "$STATE/redis.sock" "$@" >/dev/null; }
until cli ping; do sleep 0.1; done
cli set banner 'Closed on Monday'
cli set limit 20
cli hset prices tea 12 coffee 15
cli rpush queue 'mail ida' 'mail tom'
cli sadd admins ada ida
cli zadd scores 3 ida 5 tom
cd "$APP/npm/node_modules/redis-commander"
exec node bin/redis-commander.js --redis-socket "$STATE/redis.sock" --address 127.0.0.1 --port "$PORT" --noload --nosave
