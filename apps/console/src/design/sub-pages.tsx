import { Link } from '@tanstack/react-router';
import pills from './pills.module.css';

interface SubPagesProps {
  readonly label: string;
  readonly pages: readonly (readonly [path: string, name: string])[];
}

/** The parts of what is too much for one page, below its title: each has an address of its own. */
export function SubPages({ label, pages }: SubPagesProps) {
  return (
    <nav aria-label={label}>
      <ul className={pills['pills']}>
        {pages.map(([path, name]) => (
          <li key={path}>
            <Link to={path} className={pills['pill']} activeOptions={{ exact: true }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
