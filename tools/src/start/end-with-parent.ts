// Loaded into every service that npm start runs: when the starter is gone, also by kill -9, the service ends
// itself the orderly way. The channel alone must not keep a service alive that has nothing left to do.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
