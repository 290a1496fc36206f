@rem The scripts of package.json begin with exec, so that a signal to npm reaches them. cmd has no such command.
@%*
