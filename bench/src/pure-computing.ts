/** A neighbour that takes a processor and nothing else. It imports nothing, so that it runs as it is. */
for (;;) Math.sqrt(Math.random());
