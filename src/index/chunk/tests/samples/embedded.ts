import { gql } from '@apollo/client'
import { sql } from './database'

export const USER_PARTS = gql`
  fragment UserParts on User {
    id
    name
  }
`

/** Reads a user. */
export const GET_USER = gql`
  query GetUser($id: ID!, $filter: UserFilter) {
    user(id: $id, filter: $filter) {
      ...UserParts
    }
  }
  ${USER_PARTS}
`

const typeDefs = /* GraphQL */ `
  type User implements Node {
    id: ID!
    teams: [Team!]
  }
`

export async function rename(id: number, name: string) {
  await sql`UPDATE shop.users SET name = ${name} WHERE id = ${id}`
  return sql<User[]>`
    with recent as (select * from orders where day > now())
    select u.id from users u join recent r on r.user_id = u.id
  `
}

function create(db: Database) {
  db.exec('CREATE TABLE IF NOT EXISTS teams (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES users (id))')
  log('select a team from the list')
  return 'Update the team'
}
