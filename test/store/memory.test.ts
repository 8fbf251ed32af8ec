import { memoryStore } from '#store/memory';
import { storeContract } from '../stores.ts';

storeContract('memory', memoryStore);
