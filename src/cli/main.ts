/** The command `postern`. */
import { postern } from './postern.ts';
import { terminal } from './terminal.ts';

const io = terminal();
process.exitCode = await postern(process.argv.slice(2), io);
